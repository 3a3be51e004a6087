"""Muon for the matrices of the layers, AdamW for embeddings, heads and norms, and one schedule for both."""
import torch


def orthogonal(g, steps=5):
    """The Newton-Schulz iteration of Muon (Jordan et al. 2024) on a stack of matrices [n, rows, cols]."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = g.bfloat16()
    flip = x.shape[-2] > x.shape[-1]
    x = x.mT if flip else x
    x = x / (x.norm(dim=(-2, -1), keepdim=True) + 1e-7)
    for _ in range(steps):
        s = x @ x.mT
        x = a * x + (b * s + c * s @ s) @ x
    return x.mT if flip else x


class Optimizer:
    """params: name -> Parameter. Names in `matrices` go to Muon, the rest to AdamW."""

    def __init__(self, params, matrices, muon=0.02, adam=2e-3, momentum=0.95, decay=0.01):
        self.muon, self.momentum, self.decay = muon, momentum, decay
        groups = {}
        for n in matrices:
            groups.setdefault(tuple(params[n].shape), []).append(params[n])
        self.groups = [(ps, [torch.zeros_like(p) for p in ps]) for ps in groups.values()]
        rest = [p for n, p in params.items() if n not in set(matrices)]
        fused = rest[0].is_cuda
        self.adam = torch.optim.AdamW([{"params": [p for p in rest if p.ndim > 1], "weight_decay": decay}, {"params": [p for p in rest if p.ndim == 1], "weight_decay": 0.0}],
                                      lr=adam, betas=(0.9, 0.98), eps=1e-10, fused=fused)
        self.rate, self.all = adam, list(params.values())

    def step(self, scale):
        """One update at `scale` of the peak rates; clears the gradients."""
        torch.nn.utils.clip_grad_norm_(self.all, 1.0)
        for g in self.adam.param_groups:
            g["lr"] = self.rate * scale
        self.adam.step()
        with torch.no_grad():
            for ps, ms in self.groups:
                grads = [p.grad for p in ps]
                torch._foreach_lerp_(ms, grads, 1 - self.momentum)
                look = torch._foreach_lerp(grads, ms, self.momentum)
                u = orthogonal(torch.stack(look)).to(ps[0].dtype)
                size = max(1, ps[0].shape[0] / ps[0].shape[1]) ** 0.5
                torch._foreach_mul_(ps, 1 - self.muon * scale * self.decay)
                torch._foreach_add_(ps, list(u.unbind(0)), alpha=-self.muon * scale * size)
        for p in self.all:
            p.grad = None


def schedule(step, part, warm=100, flat=0.4):
    """Warm-up, a flat part, then linearly to nothing; part is how much of the run is done."""
    return min((step + 1) / warm, 1.0, max(0.0, (1 - part) / (1 - flat)))
