"""What a draft is trained on: the distance of its next-token distribution q from the target's p, over rows of logits."""
import torch


def distances(draft, target):
    """Mean KL(p || q) and mean total variation 1 - sum min(p, q) of logits [M, V]."""
    lq = draft.float().log_softmax(-1)
    lp = target.float().log_softmax(-1)
    p = lp.exp()
    kl = (p * (lp - lq)).sum(-1).mean()
    tv = 1 - torch.minimum(p, lq.exp()).sum(-1).mean()
    return kl, tv


def distances_reduced(draft, p):
    """The same for a draft over part of the vocabulary: p [M, R] is the target's probability of each of its words. The KL lacks p's entropy."""
    lq = draft.float().log_softmax(-1)
    p = p.float()
    return -(p * lq).sum(-1).mean(), 1 - torch.minimum(p, lq.exp()).sum(-1).mean()


def mixed(kl, tv, part, tv_weight):
    """KL alone in the first 30 % of training, then the total variation is blended in: `part` is how much of training is done."""
    w = tv_weight * min(1.0, max(0.0, (part - 0.3) / 0.2))
    return kl * (1 - 0.7 * min(1.0, w)) + w * 2.0 * tv
