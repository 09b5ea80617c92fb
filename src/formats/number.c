/* SPDX-License-Identifier: BSD-3-Clause */
/* number.c - numbers out of text: fast, exact, deaf to the locale */
#include "config.h"

#include <endian.h>
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

/* The high bit of each of these eight bytes that is no digit: with 6 added what
 * is above 9 passes 15, and 0x70 more reaches the high bit.
 */
static uint64_t other_than_digits (uint64_t bytes)
{
    uint64_t ones = 0x0101010101010101, digits = bytes ^ ones * 0x30;

    return (((digits & ones * 0x7f) + ones * 0x76) | digits) & ones * 0x80;
}

/* Neighbours are joined into pairs, pairs into fours, fours into the number:
 * three multiplications for eight digits.
 */
static uint64_t eight_digits (uint64_t bytes)
{
    bytes -= 0x3030303030303030;
    bytes = bytes * 10 + (bytes >> 8);
    return ((bytes & 0x000000ff000000ff) * (100 + (1000000ULL << 32))
            + (bytes >> 16 & 0x000000ff000000ff) * (1 + (10000ULL << 32)))
           >> 32;
}

/* The first n of these eight bytes, 1 to 7, as a number: zeros move in before
 * them.
 */
static uint64_t few_digits (uint64_t bytes, int n)
{
    uint64_t zeros = 0x3030303030303030;

    return eight_digits (bytes << (64 - 8 * n) | zeros >> 8 * n);
}

/* Take the digits at 'at'.  Zeros before the first other digit do not count as
 * significant; beyond MAX_DIGITS digits are counted but not kept.  Eight bytes
 * at a time as long as there are as many: numbers are of all lengths, and a
 * loop whose end nobody can guess costs more than the digits.
 */
static const char *read_digits (const char *at,
                                const char *end,
                                struct decimal *decimal)
{
    static const uint64_t powers[] = { 1,     10,     100,     1000,
                                       10000, 100000, 1000000, 10000000 };
    uint64_t digits = decimal->digits, bytes, others;
    int n = decimal->n_digits;

    while (n == 0 && at < end && *at == '0')
        at++;
    for (; end - at >= 8 && n <= MAX_DIGITS - 8; at += 8, n += 8) {
        memcpy (&bytes, at, sizeof (bytes));
        bytes = le64toh (bytes);
        others = other_than_digits (bytes);
        if (others != 0) {
            int few = __builtin_ctzll (others) / 8;

            decimal->digits = digits;
            decimal->n_digits = n + few;
            if (few > 0)
                decimal->digits =
                    powers[few] * digits + few_digits (bytes, few);
            return at + few;
        }
        digits = 100000000 * digits + eight_digits (bytes);
    }
    for (; at < end && is_digit (*at); at++, n++) {
        if (n < MAX_DIGITS)
            digits = 10 * digits + (uint64_t)(*at - '0');
    }
    decimal->digits = digits;
    decimal->n_digits = n;
    return at;
}

/* "e-05"; what only looks like the start of an exponent is not one. */
static const char *read_exponent (const char *at,
                                  const char *end,
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
static const char *read_decimal (const char *at,
                                 const char *end,
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

/* Divide high * 2^64 + low by 'divisor', whose top bit is set and which is
 * larger than 'high', given floor ((2^128 - 1) / divisor) - 2^64.  N. Moeller
 * and T. Granlund, "Improved division by invariant integers", IEEE Trans.
 * Comput. 60 (2011), algorithm 4: a fraction of the cost of a division.
 */
static uint64_t divide (uint64_t high,
                        uint64_t low,
                        uint64_t divisor,
                        uint64_t reciprocal,
                        uint64_t *remainder)
{
    unsigned __int128 product = (unsigned __int128)reciprocal * high;
    uint64_t quotient, rest;

    product += (unsigned __int128)high << 64 | low;
    quotient = (uint64_t)(product >> 64) + 1;
    rest = low - quotient * divisor;
    if (rest > (uint64_t)product) {
        quotient--;
        rest += divisor;
    }
    if (rest >= divisor) {
        quotient++;
        rest -= divisor;
    }
    *remainder = rest;
    return quotient;
}

/* digits / 10^k = digits / 5^k / 2^k.  With both operands shifted up to 64
 * bits the quotient has 63 or 64; its last bit also stands for whatever
 * remains, so turning it into a double rounds correctly.  The scale is a power
 * of two and the result far from the limits of double: nothing else rounds.
 */
static bool convert_long (const struct decimal *decimal, double *value)
{
    static const struct {
        uint64_t divisor; /* 5^k * 2^shift */
        uint64_t reciprocal;
        int shift;
    } powers_of_5[] = {
        { 0x8000000000000000, 0xffffffffffffffff, 63 },
        { 0xa000000000000000, 0x9999999999999999, 61 },
        { 0xc800000000000000, 0x47ae147ae147ae14, 59 },
        { 0xfa00000000000000, 0x0624dd2f1a9fbe76, 57 },
        { 0x9c40000000000000, 0xa36e2eb1c432ca57, 54 },
        { 0xc350000000000000, 0x4f8b588e368f0846, 52 },
        { 0xf424000000000000, 0x0c6f7a0b5ed8d36b, 50 },
        { 0x9896800000000000, 0xad7f29abcaf48578, 47 },
        { 0xbebc200000000000, 0x5798ee2308c39df9, 45 },
        { 0xee6b280000000000, 0x12e0be826d694b2e, 43 },
        { 0x9502f90000000000, 0xb7cdfd9d7bdbab7d, 40 },
        { 0xba43b74000000000, 0x5fd7fe17964955fd, 38 },
        { 0xe8d4a51000000000, 0x19799812dea11197, 36 },
        { 0x9184e72a00000000, 0xc25c268497681c26, 33 },
        { 0xb5e620f480000000, 0x6849b86a12b9b01e, 31 },
        { 0xe35fa931a0000000, 0x203af9ee756159b2, 29 },
        { 0x8e1bc9bf04000000, 0xcd2b297d889bc2b6, 26 },
        { 0xb1a2bc2ec5000000, 0x70ef54646d496892, 24 },
        { 0xde0b6b3a76400000, 0x2725dd1d243aba0e, 22 },
        { 0x8ac7230489e80000, 0xd83c94fb6d2ac34a, 19 },
        { 0xad78ebc5ac620000, 0x79ca10c9242235d5, 17 },
        { 0xd8d726b7177a8000, 0x2e3b40a0e9b4f7dd, 15 },
        { 0x878678326eac9000, 0xe392010175ee5962, 12 },
        { 0xa968163f0a57b400, 0x82db34012b25144e, 10 },
        { 0xd3c21bcecceda100, 0x357c299a88ea76a5, 8 },
        { 0x84595161401484a0, 0xef2d0f5da7dd8aa2, 5 },
        { 0xa56fa5b99019a5c8, 0x8c240c4aecb13bb5, 3 },
        { 0xcecb8f27f4200f3a, 0x3ce9a36f23c0fc90, 1 },
    };
    int k = -decimal->exponent;
    int shift, scale_exponent;
    uint64_t dividend, quotient, remainder, scale_bits;
    double scale;

    if (k < 0 || k >= (int)ARRAY_SIZE (powers_of_5))
        return false;
    shift = __builtin_clzll (decimal->digits);
    dividend = decimal->digits << shift;
    quotient = divide (dividend >> 1, dividend << 63, powers_of_5[k].divisor,
                       powers_of_5[k].reciprocal, &remainder);
    quotient |= remainder != 0;
    scale_exponent = powers_of_5[k].shift - shift - k - 63;
    scale_bits = (uint64_t)(1023 + scale_exponent) << 52;
    memcpy (&scale, &scale_bits, sizeof (scale));
    *value = (double)quotient * scale;
    return true;
}

/* glibc and musl hand out the C locale without allocating. */
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

static const char *read_magnitude (const char *at,
                                   const char *end,
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
                 && !convert_long (&decimal, value))) {
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
