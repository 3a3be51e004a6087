"""A generator that never stops: every row holds a conversation, and takes the next prompt when its own has ended."""
import time
import numpy as np
import torch
import kernels
import llama
from target import BEGIN, END, END_OF_TEXT

ASK, ANSWER, RAW = 0, 1, 2   # phase: the model invents a user turn; it answers; it continues plain text
FORCED, FIRST, ASKED = 1, 2, 4   # bits of a token's flag: given, not drawn; the first of a document; drawn in a user turn


class Table:
    """Prompts as token rows. Rows 0 and 1 are what joins turns: the opening of an answer, and of a further user turn."""

    def __init__(self, prompts, phases, weights, joins, seed, device):
        rows = [list(j) for j in joins] + [list(p) for p in prompts]
        width = max(map(len, rows))
        ids = np.zeros((len(rows), width), np.int32)
        for i, r in enumerate(rows):
            ids[i, :len(r)] = r
        rng = np.random.default_rng(seed)
        weights = np.asarray(weights, float)
        pool = rng.choice(len(prompts), 1 << 20, p=weights / weights.sum()) + len(joins)
        put = lambda a, t: torch.as_tensor(np.asarray(a)).to(device=device, dtype=t)
        self.ids, self.length = put(ids, torch.int32), put([len(r) for r in rows], torch.int32)
        self.phase = put([ANSWER, ASK] + list(phases), torch.int32)
        self.pool = put(pool, torch.int32)
        self.longest = width


class Generator:
    """rows conversations at once, cache for `ring` positions each. recipe: dict of
    ask: [(temperature, min-p)] of invented turns; answer: [(temperature, min-p)] of the rest; new: (least, most) new tokens a document may
    have; again: chance of a further turn. A temperature of 0 is greedy. Lists are drawn from evenly, so repeat what should come often."""

    def __init__(self, weights, shape, table, rows, ring, steps, recipe, seed, fast):
        d = weights["embed"].device
        self.w, self.shape, self.table, self.ring, self.steps, self.seed, self.fast = weights, shape, table, ring, steps, seed, fast
        self.recipe = recipe
        kv = (rows, shape.kv_heads, ring, shape.head_dim)
        self.keys = [torch.zeros(kv, device=d, dtype=weights["embed"].dtype) for _ in range(shape.layers)]
        self.values = [torch.zeros_like(k) for k in self.keys]
        i32 = lambda *s: torch.zeros(*s, device=d, dtype=torch.int32)
        self.now, self.cur, self.start, self.seg, self.off, self.phase, self.most = i32(1), i32(rows), i32(rows), i32(rows), i32(rows), i32(rows), i32(rows)
        self.ended = torch.ones(rows, device=d, dtype=torch.bool)
        self.pick_ask, self.pick_answer = i32(rows), i32(rows)
        self.ids, self.flags = torch.zeros(steps, rows, device=d, dtype=torch.int32), torch.zeros(steps, rows, device=d, dtype=torch.uint8)
        self.which, self.temps = i32(steps, rows), torch.zeros(steps, rows, device=d, dtype=torch.uint8)
        t = lambda xs: torch.tensor(xs, device=d, dtype=torch.float32)
        both = recipe["ask"] + recipe["answer"]
        self.inverse = t([1 / x if x > 0 else 1 for x, _ in both])
        self.noise = t([1.0 if x > 0 else 0.0 for x, _ in both])
        self.floor = t([float(np.log(m)) if m > 0 else -1e30 for _, m in both])
        self.graph = None

    def logits(self):
        s, w, now = self.shape, self.w, self.now
        x = w["embed"][self.cur.long()]
        cos, sin = llama.angles(now - self.start, s, x.dtype)
        slot = (now % self.ring).long()
        attend = kernels.attend if self.fast else kernels.attend_plain
        for i in range(s.layers):
            q, k, v = llama.project_fast(x, w[f"{i}.n1"], w[f"{i}.qkv"], cos, sin, s.heads, s.kv_heads, s.head_dim)
            self.keys[i].index_copy_(2, slot, k[:, :, None])
            self.values[i].index_copy_(2, slot, v[:, :, None])
            x = llama.finish_fast(x, attend(q.contiguous(), self.keys[i], self.values[i], self.start, now), w[f"{i}.o"], w[f"{i}.n2"], w[f"{i}.gu"], w[f"{i}.down"])
        h = llama.rms(x, w["norm"])
        return torch.mm(h, w["embed"].T, out_dtype=torch.float32) if h.is_cuda else (h @ w["embed"].T).float()

    def step(self):
        r, tab, d = self.recipe, self.table, self.cur.device
        rows = self.cur.shape[0]
        fresh = lambda n: torch.randint(0, n, (rows,), device=d, dtype=torch.int32)
        put = lambda dst, cond, val: dst.copy_(torch.where(cond, val, dst))
        # A row whose document has ended begins another; its forward of this step is of the old one's last token and is not used.
        e = self.ended
        fresh_seg = tab.pool[fresh(tab.pool.shape[0]).long()]
        self.which[:, :].index_copy_(0, self.now.long(), torch.where(e, fresh_seg, self.seg)[None])
        put(self.seg, e, fresh_seg)
        put(self.off, e, torch.zeros_like(self.off))
        put(self.phase, e, tab.phase[fresh_seg.long()])
        least, most = r["new"]
        put(self.most, e, (tab.length[fresh_seg.long()] + least + fresh(most - least + 1)).clamp_max(self.ring))
        put(self.pick_ask, e, fresh(len(r["ask"])))
        put(self.pick_answer, e, fresh(len(r["answer"])) + len(r["ask"]))
        lg = self.logits()
        put(self.start, e, (self.now + 1).expand_as(self.start))
        pick = torch.where(self.phase == ASK, self.pick_ask, self.pick_answer).long()
        draw = kernels.draw if self.fast else kernels.draw_plain
        x = draw(lg, self.inverse[pick], self.noise[pick], self.floor[pick], self.now, self.seed)
        forced = self.off < tab.length[self.seg.long()]
        x = torch.where(forced, tab.ids[self.seg.long(), self.off.clamp_max(tab.longest - 1).long()], x)
        self.off.add_(forced.int())
        at = self.now.long()
        self.ids.index_copy_(0, at, x[None])
        self.flags.index_copy_(0, at, (forced.to(torch.uint8) * FORCED + e.to(torch.uint8) * FIRST + (~forced & (self.phase == ASK)).to(torch.uint8) * ASKED)[None])
        self.temps.index_copy_(0, at, self.pick_answer.to(torch.uint8)[None])
        ends = ~forced & (x == END) & (self.phase != RAW)
        length = self.now + 2 - self.start
        again = (torch.rand(rows, device=d) < r["again"]) & (length < self.most - 96)
        to_answer, to_ask = ends & (self.phase == ASK), ends & (self.phase == ANSWER) & again
        over = (length >= self.most) | (~forced & (x == END_OF_TEXT)) | (~forced & (x == BEGIN)) | (~forced & (x == END) & (self.phase == RAW))
        self.ended.copy_(over | (ends & (self.phase == ANSWER) & ~again))
        for cond, join in ((to_answer, 0), (to_ask, 1)):
            put(self.seg, cond, torch.full_like(self.seg, join))
            put(self.off, cond, torch.zeros_like(self.off))
            put(self.phase, cond, torch.full_like(self.phase, ANSWER if join == 0 else ASK))
        self.cur.copy_(x)
        self.now.add_(1)

    def run(self, seconds):
        """Runs until the time or the room is used up; returns the steps made."""
        if not self.fast:
            n, end = 0, time.time() + seconds
            while n < self.steps and (time.time() < end or n < 8):
                self.step()
                n += 1
            return n
        s = torch.cuda.Stream()
        s.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(s):
            for _ in range(3):
                self.step()
        torch.cuda.current_stream().wait_stream(s)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.step()
        n, end = 3, time.time() + seconds
        while n < self.steps and time.time() < end:
            for _ in range(min(50, self.steps - n)):
                self.graph.replay()
            n = min(n + 50, self.steps)
            torch.cuda.synchronize()
        return n

    def documents(self, n):
        """The first n steps as documents: flat tokens (uint16), flags (uint8), offsets, prompt row and answer-temperature index of each.
        Documents that were under way at the end come too, cut, from 64 tokens up."""
        ids, flags = self.ids[:n].T.cpu().numpy(), self.flags[:n].T.cpu().numpy()
        which, temps = self.which[:n].T.cpu().numpy(), self.temps[:n].T.cpu().numpy()
        first = (flags & FIRST) > 0
        flat = np.flatnonzero(first.reshape(-1))
        ends = np.append(flat[1:], ids.size)
        row_end = (flat // n + 1) * n
        ends = np.minimum(ends, row_end)
        keep = (ends - flat) >= 64
        flat, ends = flat[keep], ends[keep]
        lengths = ends - flat
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        index = np.repeat(flat - offsets[:-1], lengths) + np.arange(offsets[-1])
        return dict(ids=ids.reshape(-1)[index].astype(np.uint16), flags=flags.reshape(-1)[index], offsets=offsets.astype(np.int64),
                    prompt=which.reshape(-1)[flat] - 2, temperature=temps.reshape(-1)[flat] - len(self.recipe["ask"]))
