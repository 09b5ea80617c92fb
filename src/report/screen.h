/* SPDX-License-Identifier: BSD-3-Clause */
/* screen.h - the live screen of `run` and `status --watch` on a terminal */
#ifndef REPORT_SCREEN_H
#define REPORT_SCREEN_H

struct live_view;
struct screen;

/* NULL: 'fd' and standard input are no terminal that can show one, or not this
 * process's now.  Until screen_close what is printed on '*messages' (lent),
 * which is stderr, is told on the screen where standard error is a terminal.
 * 'keys' (lent) tells what a person can press.
 */
struct screen *screen_open (int fd, const char *keys, FILE **messages);

/* A line of what has happened; the latest are shown. */
void screen_say (struct screen *screen, const char *line);

/* Show the view (which is the screen's from then on) until there is another
 * one.
 */
void screen_show (struct screen *screen, struct live_view *view);

/* Wait for 's' seconds at most, and draw what has to be drawn anew.  True: `q`
 * was pressed, or there is no terminal any more.
 */
bool screen_wait (struct screen *screen, double s);

/* Make the terminal what it was; then print on 'to' what was told (NULL:
 * nothing).  NULL for 'screen' is legal.
 */
void screen_close (struct screen *screen, FILE *to);

#endif /* !REPORT_SCREEN_H */
