/* SPDX-License-Identifier: BSD-3-Clause */
/* units.h - durations and sizes as people write them */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

/* "90", "90s", "30m", "1.5h", "2d", "1h30m", "1-02:00:00", "02:30:00",
 * "10:00" (m:s) -> seconds, finite and >= 0; spaces are refused.
 * 0, or -1 with *out_s untouched.
 */
int parse_duration (const char *text, double *out_s);

/* "512", "64KiB", "8GiB", "1.5TiB", "2GB" (powers of ten) -> bytes.  Whole
 * result, not negative, within JSON_INT_MAX (9 PB).  0 or -1.
 */
int parse_bytes (const char *text, int64_t *out_bytes);

/* "0.4s", "42s", "3m10s", "2h05m", "3d04h" */
void format_duration (double s, struct strbuf *out);

/* "512 B", "1.5 KiB", "8.0 GiB" */
void format_bytes (int64_t bytes, struct strbuf *out);

/* "1 task", "4 tasks" */
void format_count (int64_t n, const char *noun, struct strbuf *out);

#endif /* !BASE_UNITS_H */
