"""The corpus as batches: documents sorted into rows of a few widths, so that every batch is causal rows of one width, N tokens in all."""
import numpy as np
import torch
from generate import ASKED, FORCED

WIDTHS = (128, 192, 256, 320, 384, 512, 640)
TOKENS = 30720   # a multiple of every width
DRAWN, INVENTED, PLAIN, MARKUP = 1.0, 0.4, 0.3, 0.05   # weight of a token: in an answer, in an invented user turn, given plain text, given markup


def load(paths):
    """One dict of the corpora at paths; prompt rows refer to the prompt list of their own file, so domain and raw are carried here."""
    parts = [dict(np.load(p)) for p in paths]
    out = {k: np.concatenate([p[k] for p in parts]) for k in ("ids", "flags", "temperature", "domain", "raw", "prompt")}
    shift = np.cumsum([0] + [p["offsets"][-1] for p in parts])
    out["offsets"] = np.concatenate([p["offsets"][:-1] + s for p, s in zip(parts, shift)] + [shift[-1:]])
    return out


def held_out(docs, every=50):
    """True for the documents of held-out prompts."""
    return (docs["prompt"].astype(np.int64) * 2654435761 % 2**32) % every == 0


def weights(flags, raw):
    """Loss weight of each token of a document, as the one to be predicted."""
    return np.where(flags & FORCED, PLAIN if raw else MARKUP, np.where(flags & ASKED, INVENTED, DRAWN)).astype(np.float32)


class Batches:
    """Endless batches (ids [rows, width], weight [rows, width]): weight[r, i] is that of the distribution after token i."""

    def __init__(self, docs, device, seed, tokens=TOKENS, widths=WIDTHS, limit=None, keep=None):
        self.tokens, self.widths, self.g = tokens, widths, torch.Generator().manual_seed(seed)
        off = docs["offsets"]
        length = np.minimum(np.diff(off), widths[-1])
        use = np.ones(len(length), bool) if keep is None else keep.copy()
        if limit:
            order = np.random.default_rng(seed).permutation(np.flatnonzero(use))
            use[:] = False
            use[order[:np.searchsorted(np.cumsum(length[order]), limit)]] = True
        self.count = int(length[use].sum())
        self.rows, self.weight, self.order, self.at = [], [], [], []
        w_all = np.where(docs["flags"] & FORCED, np.where(np.repeat(docs["raw"], np.diff(off)) > 0, PLAIN, MARKUP), np.where(docs["flags"] & ASKED, INVENTED, DRAWN)).astype(np.float16)
        low = 0
        for w in widths:
            pick = np.flatnonzero(use & (length > low) & (length <= w))
            low = w
            at = off[pick][:, None] + np.arange(w)
            inside = np.arange(w) < length[pick][:, None]
            at = np.minimum(at, len(docs["ids"]) - 1)
            ids = np.where(inside, docs["ids"][at], 0)
            nxt = np.arange(w) + 1 < length[pick][:, None]
            wt = np.where(nxt, w_all[np.minimum(at + 1, len(docs["ids"]) - 1)], 0)
            self.rows.append(torch.from_numpy(ids.astype(np.int32)).to(device))
            self.weight.append(torch.from_numpy(wt).to(device))
            self.order.append(None)
            self.at.append(0)
        # A width is taken as often as its documents need; one with less than a batch of rows is drawn with repeats.
        self.share = torch.tensor([float(r.numel()) for r in self.rows])

    def next(self):
        b = int(torch.multinomial(self.share, 1, generator=self.g))
        n = self.tokens // self.widths[b]
        have = self.rows[b].shape[0]
        if have < n:
            pick = torch.randint(0, have, (n,), generator=self.g)
        else:
            if self.order[b] is None or self.at[b] + n > have:
                self.order[b], self.at[b] = torch.randperm(have, generator=self.g), 0
            pick = self.order[b][self.at[b]:self.at[b] + n]
            self.at[b] += n
        pick = pick.to(self.rows[b].device)
        return self.rows[b][pick].long(), self.weight[b][pick].float()


def choose(weight, m, generator):
    """m of the positions of weight [N], without repeats, likelier in proportion to their weight; weight 0 comes last."""
    u = torch.rand(weight.shape, generator=generator, device=weight.device).clamp_min(1e-9)
    return (u.log() / weight.clamp_min(1e-6)).topk(m).indices
