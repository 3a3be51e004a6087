"""4-bit embeddings whose errors answer for one another.

Rounded column by column, each column's error is made good in the ones not yet rounded, as far as the states h that meet the embeddings in the
head are correlated: what is kept small is E[(h . error)^2], not the error itself (Frantar et al. 2022, GPTQ).
"""
import numpy as np
import torch
import llama

GROUP = 32


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
