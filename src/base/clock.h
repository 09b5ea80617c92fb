/* SPDX-License-Identifier: BSD-3-Clause */
/* clock.h - the two clocks */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

/* Seconds since 1970, for records and for people. */
double clock_wall_s (void);

/* Seconds of CLOCK_BOOTTIME, for measuring and waiting; meaningless on
 * another host or after a reboot.
 */
double clock_mono_s (void);

enum { CLOCK_ISO_SIZE = 28 };

/* "2026-11-21T03:43:10Z" */
void clock_iso (double wall_s, char out[CLOCK_ISO_SIZE]);

/* The same where this process is, for a person: "2026-11-21T04:43:10+01:00". */
void clock_iso_here (double wall_s, char out[CLOCK_ISO_SIZE]);

/* Sleep, continuing after EINTR unless a handler asked to stop: returns early
 * when *stop becomes non-zero ('stop' may be NULL).
 */
void clock_sleep (double s, const volatile int *stop);

#endif /* !BASE_CLOCK_H */
