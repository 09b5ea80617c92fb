/* SPDX-License-Identifier: BSD-3-Clause */
/* number.h - numbers out of text: fast, exact, in any locale
 *
 * These read at the start of [at, end), which needs no terminator, and return
 * the byte after the number, or NULL with *value untouched when there is none.
 * They do not skip spaces, and the caller checks what follows
 * a number.
 */
#ifndef FORMATS_NUMBER_H
#define FORMATS_NUMBER_H

/* A number may be this long: more digits than any program prints. */
enum { NUMBER_MAX_BYTES = 1000 };

/* A sign, decimal digits with at most one point, an exponent; or inf,
 * infinity, nan in any case.  No hexadecimal.  The value is the double nearest
 * to what is written, exactly as strtod's; what is too large is infinite.
 */
const char *number_read (const char *at, const char *end, double *value);

/* A sign and decimal digits; what does not fit is none. */
const char *integer_read (const char *at, const char *end, int64_t *value);

#endif /* !FORMATS_NUMBER_H */
