/* SPDX-License-Identifier: BSD-3-Clause */
/* units.c - durations and sizes as people write them */
#include "base/base.h"

#include "base/json.h"
#include "base/units.h"

/* How much of 'text' is digits with at most one point between them ("12",
 * "1.5"); no sign, exponent, hex or space, all of which strtod would take.
 */
static size_t number_length (const char *text)
{
    static const char digits[] = "0123456789";
    size_t whole = strspn (text, digits);
    size_t after;

    if (whole == 0 || text[whole] != '.')
        return whole;
    after = strspn (text + whole + 1, digits);
    return after ? whole + 1 + after : 0;
}

/* Read a number and move *text behind it. */
static bool read_number (const char **text, double *value)
{
    size_t len = number_length (*text);
    char digits[64];

    if (len == 0 || len >= sizeof (digits))
        return false;
    memcpy (digits, *text, len);
    digits[len] = '\0';
    *value = strtod (digits, NULL);
    *text += len;
    return true;
}

/* Read a whole number, at most 9 digits. */
static bool read_whole (const char **text, double *value)
{
    size_t len = number_length (*text);

    return len <= 9 && !memchr (*text, '.', len) && read_number (text, value);
}

/* "D-HH:MM:SS", "HH:MM:SS", "MM:SS", "D-HH:MM", "D-HH" as schedulers write it.
 */
static int parse_clock_duration (const char *text, double *out_s)
{
    double days = 0, fields[3] = { 0, 0, 0 };
    bool with_days = strchr (text, '-') != NULL;
    int n = 0;

    if (with_days && (!read_whole (&text, &days) || *text++ != '-'))
        return -1;
    for (;;) {
        if (n == 3 || !read_whole (&text, &fields[n]))
            return -1;
        if ((with_days || n > 0) && fields[n] >= (n == 0 ? 24 : 60))
            return -1;
        n++;
        if (*text == '\0')
            break;
        if (*text++ != ':')
            return -1;
    }
    if (!with_days && n == 2)
        *out_s = 60 * fields[0] + fields[1];
    else
        *out_s = 86400 * days + 3600 * fields[0] + 60 * fields[1] + fields[2];
    return 0;
}

int parse_duration (const char *text, double *out_s)
{
    static const double seconds_per[256] = {
        ['s'] = 1, ['m'] = 60, ['h'] = 3600, ['d'] = 86400
    };
    double sum_s = 0, smallest_s = INFINITY;

    if (strpbrk (text, ":-"))
        return parse_clock_duration (text, out_s);
    do {
        double value, unit_s;

        if (!read_number (&text, &value))
            return -1;
        if (*text == '\0' && isinf (smallest_s)) {
            sum_s = value; /* seconds, without saying so */
            break;
        }
        unit_s = seconds_per[(unsigned char)*text];
        if (unit_s == 0 || unit_s >= smallest_s) /* "30m1h" is a slip */
            return -1;
        smallest_s = unit_s;
        sum_s += value * unit_s;
        text++;
    } while (*text);
    if (!isfinite (sum_s))
        return -1;
    *out_s = sum_s;
    return 0;
}

static const struct {
    const char *suffix;
    uint64_t bytes;
} size_units[] = {
    { "", 1 },
    { "B", 1 },
    { "KiB", (uint64_t)1 << 10 },
    { "MiB", (uint64_t)1 << 20 },
    { "GiB", (uint64_t)1 << 30 },
    { "TiB", (uint64_t)1 << 40 },
    { "PiB", (uint64_t)1 << 50 },
    { "kB", 1000 },
    { "KB", 1000 },
    { "MB", 1000000 },
    { "GB", 1000000000 },
    { "TB", 1000000000000 },
    { "PB", 1000000000000000 },
};

static uint64_t bytes_per (const char *suffix)
{
    for (size_t i = 0; i < ARRAY_SIZE (size_units); i++) {
        if (strcmp (suffix, size_units[i].suffix) == 0)
            return size_units[i].bytes;
    }
    return 0;
}

/* In whole numbers: "1.001kB" is 1001 bytes, but not in binary fractions.  20
 * digits times the largest unit fit 128 bits.
 */
int parse_bytes (const char *text, int64_t *out_bytes)
{
    unsigned __int128 value = 0, parts = 1;
    size_t len = number_length (text);
    uint64_t unit = bytes_per (text + len);
    bool fraction = false;

    if (len == 0 || len > 20 || unit == 0)
        return -1;
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '.') {
            fraction = true;
            continue;
        }
        value = 10 * value + (unsigned int)(text[i] - '0');
        parts *= fraction ? 10 : 1;
    }
    value *= unit;
    if (value % parts != 0 || value / parts > JSON_INT_MAX)
        return -1;
    *out_bytes = (int64_t)(value / parts);
    return 0;
}

void format_duration (double s, struct strbuf *out)
{
    long long whole;

    if (!(s > 0))
        s = 0;
    if (s < 9.95) {
        strbuf_addf (out, "%.1fs", s);
        return;
    }
    if (s > 1e12) {
        strbuf_addf (out, "%.3gd", s / 86400);
        return;
    }
    whole = (long long)(s + 0.5);
    if (whole < 60)
        strbuf_addf (out, "%llds", whole);
    else if (whole < 3600)
        strbuf_addf (out, "%lldm%02llds", whole / 60, whole % 60);
    else if (whole < 86400)
        strbuf_addf (out, "%lldh%02lldm", whole / 3600, whole % 3600 / 60);
    else
        strbuf_addf (out, "%lldd%02lldh", whole / 86400, whole % 86400 / 3600);
}

void format_bytes (int64_t bytes, struct strbuf *out)
{
    static const char *const names[] = { "KiB", "MiB", "GiB",
                                         "TiB", "PiB", "EiB" };
    double value = (double)bytes / 1024;
    size_t i = 0;

    if (bytes < 1024) {
        strbuf_addf (out, "%lld B", (long long)bytes);
        return;
    }
    /* 1023.95 would be shown as 1024.0 of this unit. */
    while (value >= 1023.95 && i + 1 < ARRAY_SIZE (names)) {
        value /= 1024;
        i++;
    }
    strbuf_addf (out, "%.1f %s", value, names[i]);
}

void format_count (int64_t n, const char *noun, struct strbuf *out)
{
    strbuf_addf (out, "%" PRId64 " %s%s", n, noun, n == 1 ? "" : "s");
}
