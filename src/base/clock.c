/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.c - the two clocks */
#include "base/base.h"

#include <time.h>

#include "base/clock.h"

static double read_clock (clockid_t id)
{
    struct timespec now;

    clock_gettime (id, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double clock_wall_s (void)
{
    return read_clock (CLOCK_REALTIME);
}

double clock_mono_s (void)
{
    return read_clock (CLOCK_BOOTTIME);
}

/* Outside the years 0 to 9999 there is no such text. */
static time_t with_text (double wall_s)
{
    return (time_t)floor (fmin (fmax (wall_s, -62167219200.0), 253402300799.0));
}

void clock_iso_here (double wall_s, char out[CLOCK_ISO_SIZE])
{
    time_t seconds = with_text (wall_s);
    struct tm tm;
    size_t n;

    tzset ();
    localtime_r (&seconds, &tm);
    if (tm.tm_gmtoff == 0) {
        clock_iso (wall_s, out);
        return;
    }
    /* "+0100" becomes "+01:00" */
    n = strftime (out, CLOCK_ISO_SIZE - 1, "%Y-%m-%dT%H:%M:%S%z", &tm);
    if (n < 2)
        return;
    memmove (out + n - 1, out + n - 2, 3);
    out[n - 2] = ':';
}

void clock_iso (double wall_s, char out[CLOCK_ISO_SIZE])
{
    time_t seconds = with_text (wall_s);
    struct tm tm;

    gmtime_r (&seconds, &tm);
    strftime (out, CLOCK_ISO_SIZE, "%Y-%m-%dT%H:%M:%SZ", &tm);
}

void clock_sleep (double s, const volatile int *stop)
{
    double end_s = clock_mono_s () + s;
    double left_s;

    while (!(stop && *stop) && (left_s = end_s - clock_mono_s ()) > 0) {
        struct timespec nap;

        /* In short naps: a signal between the test of *stop and the sleep
         * would otherwise be noticed only at the end.
         */
        left_s = fmin (left_s, stop ? 0.2 : 1e6);
        nap.tv_sec = (time_t)left_s;
        nap.tv_nsec = (long)((left_s - floor (left_s)) * 1e9);
        nanosleep (&nap, NULL);
    }
}
