/* SPDX-License-Identifier: BSD-3-Clause */
/* sort.h - numbers in their order */
#ifndef BASE_SORT_H
#define BASE_SORT_H

/* Upwards; none of the n is NaN. */
void sort_doubles (double *v, size_t n);

#endif /* !BASE_SORT_H */
