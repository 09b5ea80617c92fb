/* SPDX-License-Identifier: BSD-3-Clause */
/* number.c - numbers out of text: fast, exact, in any locale */
#include "config.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/compiler.h"
#include "formats/number.h"

/* digits * 10^exponent */
struct decimal {
    uint64_t digits;
    int exponent;
    int n_digits; /* significant ones; more than 19 do not fit 'digits' */
};

enum { MAX_DIGITS = 19, MAX_EXPONENT = 100000 };

static bool is_digit (char c)
{
    return (unsigned char)(c - '0') < 10;
}

/* Take the digits at 'at'.  Zeros before the first other digit do not count as
 * significant; beyond MAX_DIGITS digits are counted but not kept.
 */
static const char *read_digits (const char *at, const char *end,
                                struct decimal *decimal)
{
    while (decimal->n_digits == 0 && at < end && *at == '0')
        at++;
    for (; at < end && is_digit (*at); at++, decimal->n_digits++) {
        if (decimal->n_digits < MAX_DIGITS)
            decimal->digits = 10 * decimal->digits + (uint64_t)(*at - '0');
    }
    return at;
}

/* "e-05"; what only looks like the start of an exponent is not one. */
static const char *read_exponent (const char *at, const char *end,
                                  struct decimal *decimal)
{
    const char *p = at + 1;
    bool negative = p < end && *p == '-';
    int exponent = 0;

    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end || !is_digit (*p))
        return at;
    for (; p < end && is_digit (*p); p++) {
        if (exponent < MAX_EXPONENT)
            exponent = 10 * exponent + (*p - '0');
    }
    decimal->exponent += negative ? -exponent : exponent;
    return p;
}

/* The text of a number without its sign; NULL when it is none. */
static const char *read_decimal (const char *at, const char *end,
                                 struct decimal *decimal)
{
    const char *whole = at, *fraction;
    bool any;

    at = read_digits (at, end, decimal);
    any = at > whole;
    if (at < end && *at == '.') {
        fraction = at + 1;
        at = read_digits (fraction, end, decimal);
        decimal->exponent = (int)(fraction - at);
        any = any || at > fraction;
    }
    if (!any)
        return NULL;
    if (at < end && (*at == 'e' || *at == 'E'))
        at = read_exponent (at, end, decimal);
    return at;
}

/* Both are exact doubles, so one operation rounds once (W. D. Clinger, "How to
 * read floating point numbers accurately", 1990).
 */
static bool convert_small (const struct decimal *decimal, double *value)
{
    static const double powers[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,
                                     1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                     1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
                                     1e18, 1e19, 1e20, 1e21, 1e22 };
    int exponent = decimal->exponent;

    if (decimal->digits >> 53 || exponent < -22 || exponent > 22)
        return false;
    if (exponent < 0)
        *value = (double)decimal->digits / powers[-exponent];
    else
        *value = (double)decimal->digits * powers[exponent];
    return true;
}

/* For numbers of more than 15 digits or of far powers of ten.  To ask for the C
 * locale costs a tenth of the conversion (glibc and musl allocate nothing).
 */
static bool convert_any (const char *at, const char *end, double *value)
{
    char text[NUMBER_MAX_BYTES + 1];
    size_t len = (size_t)(end - at);
    locale_t c_locale;

    memcpy (text, at, len);
    text[len] = '\0';
    c_locale = newlocale (LC_ALL_MASK, "C", (locale_t)0);
    if (!c_locale)
        return false;
    *value = strtod_l (text, NULL, c_locale);
    freelocale (c_locale);
    return true;
}

static const char *read_name (const char *at, const char *end, double *value)
{
    static const struct {
        const char *name;
        size_t len;
        double value;
    } names[] = {
        { "infinity", 8, INFINITY },
        { "inf", 3, INFINITY },
        { "nan", 3, NAN },
    };

    for (size_t i = 0; i < ARRAY_SIZE (names); i++) {
        if ((size_t)(end - at) >= names[i].len
            && strncasecmp (at, names[i].name, names[i].len) == 0) {
            *value = names[i].value;
            return at + names[i].len;
        }
    }
    return NULL;
}

static const char *read_magnitude (const char *at, const char *end,
                                   double *value)
{
    struct decimal decimal = { 0 };
    const char *after = read_decimal (at, end, &decimal);

    if (!after)
        return read_name (at, end, value);
    if (decimal.digits == 0)
        *value = 0;
    else if (decimal.n_digits > MAX_DIGITS
             || !convert_small (&decimal, value)) {
        if (!convert_any (at, after, value))
            return NULL;
    }
    return after;
}

const char *number_read (const char *at, const char *end, double *value)
{
    bool negative = at < end && *at == '-';
    const char *limit = end;
    double magnitude;

    if (at < end && (*at == '-' || *at == '+'))
        at++;
    if (end - at > NUMBER_MAX_BYTES)
        limit = at + NUMBER_MAX_BYTES;
    at = read_magnitude (at, limit, &magnitude);
    if (!at || (at == limit && limit < end))
        return NULL;
    *value = negative ? -magnitude : magnitude;
    return at;
}

const char *integer_read (const char *at, const char *end, int64_t *value)
{
    bool negative = at < end && *at == '-';
    const char *first;
    int64_t sum = 0;

    if (at < end && (*at == '-' || *at == '+'))
        at++;
    for (first = at; at < end && is_digit (*at); at++) {
        int64_t digit = negative ? '0' - *at : *at - '0';

        if (__builtin_mul_overflow (sum, (int64_t)10, &sum)
            || __builtin_add_overflow (sum, digit, &sum))
            return NULL;
    }
    if (at == first)
        return NULL;
    *value = sum;
    return at;
}
