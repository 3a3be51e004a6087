"""Two Triton kernels of the corpus generator: attention of one new token over a ring cache, and a draw from logits."""
import torch
import triton
import triton.language as tl


@triton.jit
def _attend(q, k, v, out, start, now, R: tl.constexpr, D: tl.constexpr, KV: tl.constexpr, G: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    b = pid // KV
    t = tl.load(now)
    s = tl.load(start + b)
    rows = tl.arange(0, 16)
    cols = tl.arange(0, D)
    live = rows[:, None] < G
    qq = tl.load(q + (pid * G + rows[:, None]) * D + cols[None, :], mask=live, other=0.0)
    top = tl.full((16,), -1e30, tl.float32)
    mass = tl.zeros((16,), tl.float32)
    acc = tl.zeros((16, D), tl.float32)
    base = pid.to(tl.int64) * R * D
    for p in range(s, t + 1, BLOCK):
        at = p + tl.arange(0, BLOCK)
        ok = at <= t
        where = base + (at % R)[:, None] * D + cols[None, :]
        kk = tl.load(k + where, mask=ok[:, None], other=0.0)
        sc = tl.dot(qq, tl.trans(kk)) * (1.0 / (D ** 0.5))
        sc = tl.where(ok[None, :], sc, -1e30)
        new = tl.maximum(top, tl.max(sc, 1))
        e = tl.exp(sc - new[:, None])
        shrink = tl.exp(top - new)
        mass = mass * shrink + tl.sum(e, 1)
        vv = tl.load(v + where, mask=ok[:, None], other=0.0)
        acc = acc * shrink[:, None] + tl.dot(e.to(vv.dtype), vv)
        top = new
    tl.store(out + (pid * G + rows[:, None]) * D + cols[None, :], (acc / mass[:, None]).to(out.dtype.element_ty), mask=live)


def attend(q, k, v, start, now):
    """q [B, H, D]; k, v [B, KV, R, D], position p in slot p mod R; row b sees positions start[b]..now. Returns [B, H*D]."""
    b, h, d = q.shape
    kv, r = k.shape[1], k.shape[2]
    out = torch.empty_like(q)
    _attend[(b * kv,)](q, k, v, out, start, now, R=r, D=d, KV=kv, G=h // kv, BLOCK=64, num_warps=4)
    return out.reshape(b, h * d)


@triton.jit
def _draw(logits, out, inverse, noise, floor, now, seed, V: tl.constexpr, BLOCK: tl.constexpr):
    b = tl.program_id(0)
    row = logits + b.to(tl.int64) * V
    it = tl.load(inverse + b)
    ns = tl.load(noise + b)
    cut = tl.load(floor + b)
    key = tl.load(now) + seed
    cols = tl.arange(0, BLOCK)
    top = tl.full((BLOCK,), -1e30, tl.float32)
    for c in range(0, V, BLOCK):
        x = tl.load(row + c + cols, mask=c + cols < V, other=-1e30)
        top = tl.maximum(top, x)
    least = tl.max(top, 0) * it + cut
    best = tl.full((BLOCK,), -1e30, tl.float32)
    arg = tl.zeros((BLOCK,), tl.int32)
    for c in range(0, V, BLOCK):
        x = tl.load(row + c + cols, mask=c + cols < V, other=-1e30) * it
        u = tl.rand(key, b * V + c + cols)
        # An exponential number, exact where it is small: there the draw is decided.
        e = tl.where(u < 1e-3, u + 0.5 * u * u, -tl.log(tl.maximum(1.0 - u, 1e-12)))
        s = tl.where(x < least, -1e30, x - ns * tl.log(tl.maximum(e, 1e-12)))
        better = s > best
        best = tl.where(better, s, best)
        arg = tl.where(better, c + cols, arg)
    m = tl.max(best, 0)
    tl.store(out + b, tl.min(tl.where(best == m, arg, V), 0))


def draw(logits, temperature_inverse, noise, floor, now, seed):
    """One token a row of logits [B, V]: argmax of logits*inverse + noise*Gumbel over what lies within floor (<= 0, a log ratio) of
    the most likely one. noise 0 is greedy, the lowest id on a tie."""
    out = torch.empty(logits.shape[0], dtype=torch.int32, device=logits.device)
    _draw[(logits.shape[0],)](logits, out, temperature_inverse, noise, floor, now, seed, V=logits.shape[1], BLOCK=2048, num_warps=8)
    return out


def attend_plain(q, k, v, start, now):
    """attend without Triton."""
    b, h, d = q.shape
    kv, r = k.shape[1], k.shape[2]
    slot = torch.arange(r, device=q.device)
    at = now - (now - slot) % r                       # the position a slot holds
    ok = (at[None] >= start[:, None]) & (at[None] >= 0)
    s = torch.einsum("bkgd,bkrd->bkgr", q.view(b, kv, h // kv, d).float(), k.float()) / d ** 0.5
    a = s.masked_fill(~ok[:, None, None], -1e30).softmax(-1)
    return torch.einsum("bkgr,bkrd->bkgd", a, v.float()).reshape(b, h * d).to(q.dtype)


def draw_plain(logits, temperature_inverse, noise, floor, now, seed):
    """draw without Triton, from other random numbers."""
    g = torch.Generator(logits.device).manual_seed(int(now) + seed)
    x = logits.float() * temperature_inverse[:, None]
    e = torch.empty_like(x).exponential_(generator=g).clamp_min(1e-12)
    s = (x - noise[:, None] * e.log()).masked_fill(x < x.amax(-1, keepdim=True) + floor[:, None], -1e30)
    return s.argmax(-1).to(torch.int32)
