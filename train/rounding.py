"""Groups of 32 values in 4 bits: GGUF's Q4_1, a step and a least value in half precision.

`nearest` is the plain rounding, which training can go through; `q4_1` makes the errors answer for one another. Rounded column by column, each column's error is made good in the ones not yet rounded, as far as the states h that meet the embeddings in the
head are correlated: what is kept small is E[(h . error)^2], not the error itself (Frantar et al. 2022, GPTQ).
"""
import numpy as np
import torch
import llama

GROUP = 32


def places(g):
    """Of groups [..., 32]: which of 16 places each value takes, and the group's step and least value [..., 1], half precision."""
    low = g.amin(-1, keepdim=True).half()
    step = ((g.amax(-1, keepdim=True) - low.float()) / 15).half()
    return ((g - low.float()) / step.float().clamp_min(1e-12)).round().clamp(0, 15), step, low


def nearest(e):
    """e [rows, cols] as the groups hold it; the gradient passes through as if nothing were rounded."""
    k, step, low = places(e.detach().float().view(e.shape[0], -1, GROUP))
    return e + ((k * step.float() + low.float()).view_as(e) - e).detach()


def packed(e):
    """The numbers that `nearest` stands for: nibbles uint8 [rows, cols/2], i and i+16 of a group together; steps and least values float16 [rows, cols/32]."""
    k, step, low = places(e.detach().float().cpu().view(e.shape[0], -1, GROUP))
    k = k.to(torch.uint8).numpy()
    return (k[..., :16] | k[..., 16:] << 4).reshape(e.shape[0], -1), step[..., 0].numpy(), low[..., 0].numpy()


def unpacked(nibbles, steps, lows):
    """The inverse of packed, float32."""
    n = nibbles.reshape(nibbles.shape[0], -1, 16)
    k = np.concatenate([n & 15, n >> 4], -1).astype(np.float32)
    return (k * steps.astype(np.float32)[..., None] + lows.astype(np.float32)[..., None]).reshape(nibbles.shape[0], -1)


def blocks(e):
    """packed, as the bytes [rows, cols/32*20] of a GGUF file."""
    n, step, low = packed(e)
    b = np.concatenate([step.view(np.uint8).reshape(*step.shape, 2), low.view(np.uint8).reshape(*low.shape, 2), n.reshape(*step.shape, 16)], -1)
    return b.reshape(len(n), -1)


@torch.no_grad()
def second_moment(weights, shape, texts, skip=30):
    """E[h h'] [E, E] of the final states over texts (lists of ids), the first `skip` of each left out."""
    w = {k: v.float() for k, v in weights.items()}
    h = torch.cat([llama.forward(w, shape, torch.tensor([x]))[0][skip:] for x in texts if len(x) > skip + 10])
    return h.T @ h / len(h)


def q4_1(embed, moment, damp=0.3):
    """embed [V, E] in GGUF's Q4_1, as bytes [V, E/32*20]: of each 32 values the step and the least in half precision, then the values'
    nibbles, i and i+16 together. damp: share of the mean moment added to the diagonal."""
    w, n = embed.float().clone(), embed.shape[1]
    m = moment + damp * moment.diag().mean() * torch.eye(n)
    u = torch.linalg.cholesky(torch.linalg.inv(m), upper=True)
    blocks = []
    for at in range(0, n, GROUP):
        g = w[:, at:at + GROUP].clone()
        low = g.amin(1, keepdim=True).half()
        step = ((g.amax(1, keepdim=True) - low.float()) / 15).half()
        lo, d = low.float(), step.float().clamp_min(1e-8)
        err, q = torch.zeros_like(g), torch.zeros(g.shape, dtype=torch.uint8)
        for j in range(GROUP):
            k = ((g[:, j:j + 1] - lo) / d).round().clamp(0, 15)
            e = (g[:, j:j + 1] - (k * step.float() + lo)) / u[at + j, at + j]
            q[:, j], err[:, j] = k[:, 0].to(torch.uint8), e[:, 0]
            g[:, j + 1:] -= e * u[at + j, at + j + 1:at + GROUP]
        w[:, at + GROUP:] -= err @ u[at:at + GROUP, at + GROUP:]
        q = q.numpy()
        blocks.append(np.concatenate([step.numpy().view(np.uint8), low.numpy().view(np.uint8), q[:, :16] | q[:, 16:] << 4], 1))
    return np.concatenate(blocks, 1)
