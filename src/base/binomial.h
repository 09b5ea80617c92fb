/* SPDX-License-Identifier: BSD-3-Clause */
/* binomial.h - how likely counts are, and what shares they allow
 *
 * Probabilities are good to 1e-12 of themselves for n up to 1e5 and more.
 */
#ifndef BASE_BINOMIAL_H
#define BASE_BINOMIAL_H

/* P(X <= k) of n trials that each come true with probability p in [0, 1].  The
 * terms are summed from the largest, which is Loader's (C. Loader, Fast and
 * accurate computation of binomial probabilities, 2000).
 */
double binomial_tail (uint64_t n, double p, uint64_t k);

struct share_interval {
    double least;
    double most;
};

/* The shares that k of n, drawn at random, leave possible: each end is exceeded
 * with probability (1 - confidence) / 2 at most (C. Clopper and E. Pearson,
 * Biometrika 26, 404, 1934).  k <= n; of n = 0 all shares.
 */
struct share_interval clopper_pearson (uint64_t k, uint64_t n,
                                       double confidence);

#endif /* !BASE_BINOMIAL_H */
