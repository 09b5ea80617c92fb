/* SPDX-License-Identifier: BSD-3-Clause */
/* number.c - numbers out of text: fast, exact, in any locale */
#include "base/base.h"

#include <endian.h>
#include <locale.h>
#include <strings.h>

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

/* Eight bytes as the digits they are; false when one is none.  Their values are
 * joined into pairs, fours and eights by multiplications that keep apart what
 * is in each half.
 */
static bool join_eight (const char *at, uint64_t *value)
{
    const uint64_t zeros = 0x3030303030303030u;
    uint64_t bytes, above;

    memcpy (&bytes, at, sizeof (bytes));
    bytes = le64toh (bytes) - zeros;     /* wraps where a byte is below '0' */
    above = bytes + 0x7676767676767676u; /* the highest bit: 10 or more */
    if (((bytes | above) & 0x8080808080808080u) != 0)
        return false;
    bytes = (bytes * 10 + (bytes >> 8)) & 0x00ff00ff00ff00ffu;
    bytes = (bytes * 100 + (bytes >> 16)) & 0x0000ffff0000ffffu;
    *value = (bytes * 10000 + (bytes >> 32)) & 0xffffffffu;
    return true;
}

/* Take the digits at 'at'.  Zeros before the first other digit do not count as
 * significant; beyond MAX_DIGITS digits are counted but not kept.
 */
static const char *read_digits (const char *at, const char *end,
                                struct decimal *decimal)
{
    while (decimal->n_digits == 0 && at < end && *at == '0')
        at++;
    while (end - at >= 8 && decimal->n_digits <= MAX_DIGITS - 8) {
        uint64_t eight;

        if (!join_eight (at, &eight))
            break;
        decimal->digits = 100000000 * decimal->digits + eight;
        decimal->n_digits += 8;
        at += 8;
    }
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

#ifdef __SIZEOF_INT128__

enum { FIVES = 28 }; /* powers of five that 64 bits hold: up to 5^27 */

/* value * 2^exponent, value not 0, rounded once to the nearest double, to even
 * of two; 'more' says that something follows its last bit.  The result is
 * normal.
 */
static double round_to_double (unsigned __int128 value, int exponent, bool more)
{
    uint64_t high = (uint64_t)(value >> 64);
    int width = high != 0 ? 128 - __builtin_clzll (high)
                          : 64 - __builtin_clzll ((uint64_t)value);
    int drop = width > 54 ? width - 54 : 0; /* 53 bits and the half of one */
    uint64_t kept = (uint64_t)(value >> drop), bits;
    double scale;

    more |= drop > 0 && (value & (((unsigned __int128)1 << drop) - 1)) != 0;
    if (width >= 54) {
        /* Up to even, or where something follows the half. */
        kept += (kept & 1) && (more || (kept & 2));
        kept &= ~(uint64_t)1;
    }
    bits = (uint64_t)(1023 + exponent + drop) << 52;
    memcpy (&scale, &bits, sizeof (scale));
    return (double)kept * scale;
}

/* digits * 10^exponent = digits * 5^exponent * 2^exponent, in whole numbers:
 * a product has 127 bits at most, and of a quotient 63 or 64 bits and whether
 * there is a rest say to which side to round.
 */
static bool convert_whole (const struct decimal *decimal, double *value)
{
    static const uint64_t fives[FIVES] = {
        1u,
        5u,
        25u,
        125u,
        625u,
        3125u,
        15625u,
        78125u,
        390625u,
        1953125u,
        9765625u,
        48828125u,
        244140625u,
        1220703125u,
        6103515625u,
        30517578125u,
        152587890625u,
        762939453125u,
        3814697265625u,
        19073486328125u,
        95367431640625u,
        476837158203125u,
        2384185791015625u,
        11920928955078125u,
        59604644775390625u,
        298023223876953125u,
        1490116119384765625u,
        7450580596923828125u,
    };
    int exponent = decimal->exponent, k = abs (exponent);
    int shift_digits, shift_five;
    unsigned __int128 dividend;
    uint64_t divisor;

    if (k >= FIVES)
        return false;
    if (exponent >= 0) {
        *value = round_to_double ((unsigned __int128)decimal->digits * fives[k],
                                  exponent, false);
        return true;
    }
    shift_digits = __builtin_clzll (decimal->digits);
    shift_five = __builtin_clzll (fives[k]);
    dividend = (unsigned __int128)(decimal->digits << shift_digits) << 63;
    divisor = fives[k] << shift_five;
    *value = round_to_double (dividend / divisor,
                              exponent + shift_five - shift_digits - 63,
                              dividend % divisor != 0);
    return true;
}

#else

static bool convert_whole (const struct decimal *decimal, double *value)
{
    (void)decimal;
    (void)value;
    return false;
}

#endif

/* For numbers of more than 19 digits or of far powers of ten.  To ask for the C
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
             || (!convert_small (&decimal, value)
                 && !convert_whole (&decimal, value))) {
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
