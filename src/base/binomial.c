/* SPDX-License-Identifier: BSD-3-Clause */
/* binomial.c - how likely counts are, and what shares they allow */
#include "base/base.h"

#include "base/binomial.h"

static const double negligible = 1e-18; /* of a sum */

/* ln n! - ln (sqrt (2 pi n) (n / e)^n), n > 0. */
static double stirling_error (double n)
{
    double factorial = 1, nn = n * n;

    if (n > 15)
        return (1.0 / 12
                - (1.0 / 360
                   - (1.0 / 1260
                      - (1.0 / 1680 - (1.0 / 1188 - 691.0 / 360360 / nn) / nn)
                            / nn)
                         / nn)
                      / nn)
               / n;
    for (double i = 2; i <= n; i++)
        factorial *= i;
    return log (factorial) - (n + 0.5) * log (n) + n - log (2 * M_PI) / 2;
}

/* x ln (x / mean) + mean - x, without cancellation where they are close. */
static double deviance (double x, double mean)
{
    double v = (x - mean) / (x + mean), term = 2 * x * v;
    double sum = (x - mean) * v, before;

    if (fabs (x - mean) >= 0.1 * (x + mean))
        return x * log (x / mean) + mean - x;
    for (double i = 3;; i += 2) {
        term *= v * v;
        before = sum;
        sum += term / i;
        if (sum == before)
            return sum;
    }
}

/* P(X = k), 0 < p < 1. */
static double probability (double n, double p, double k)
{
    double rest = n - k;

    if (k == 0)
        return exp (n * log1p (-p));
    if (rest == 0)
        return exp (n * log (p));
    return exp (stirling_error (n) - stirling_error (k) - stirling_error (rest)
                - deviance (k, n * p) - deviance (rest, n * (1 - p)))
           * sqrt (n / (2 * M_PI * k * rest));
}

/* P(X <= k) where k is below the mean: each term is less than the one above. */
static double sum_down (double n, double p, double k)
{
    double term = 1, sum = 1, odds = (1 - p) / p;

    for (double i = k; i > 0 && term > negligible * sum; i--) {
        term *= i / (n - i + 1) * odds;
        sum += term;
    }
    return sum * probability (n, p, k);
}

/* P(X >= k) where k is above the mean. */
static double sum_up (double n, double p, double k)
{
    double term = 1, sum = 1, odds = p / (1 - p);

    for (double i = k; i < n && term > negligible * sum; i++) {
        term *= (n - i) / (i + 1) * odds;
        sum += term;
    }
    return sum * probability (n, p, k);
}

double binomial_tail (uint64_t n, double p, uint64_t k)
{
    double all = (double)n, most = (double)k;

    if (k >= n || p <= 0)
        return 1;
    if (p >= 1)
        return 0;
    return most <= all * p ? sum_down (all, p, most)
                           : 1 - sum_up (all, p, most + 1);
}

/* The share of which k or fewer of n have probability 'tail'. */
static double greatest_share (uint64_t k, uint64_t n, double tail)
{
    double least = 0, most = 1;

    if (k >= n)
        return 1;
    for (int i = 0; i < 60; i++) {
        double middle = (least + most) / 2;

        if (binomial_tail (n, middle, k) > tail)
            least = middle;
        else
            most = middle;
    }
    return (least + most) / 2;
}

struct share_interval clopper_pearson (uint64_t k, uint64_t n,
                                       double confidence)
{
    double tail = (1 - confidence) / 2;

    return (struct share_interval){ 1 - greatest_share (n - k, n, tail),
                                    greatest_share (k, n, tail) };
}
