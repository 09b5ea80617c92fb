/* SPDX-License-Identifier: BSD-3-Clause */
/* terminal.h - a terminal that shows one screen and reads single keys
 *
 * Plain sequences of ECMA-48 and xterm, which all of today's terminals know:
 * alternate screen, cursor, erase line.  Only lines that changed are written,
 * all with one write().
 */
#ifndef BASE_TERMINAL_H
#define BASE_TERMINAL_H

struct terminal;

/* By TERM, COLORTERM and NO_COLOR (https://no-color.org): is there colour?  By
 * LC_ALL, LC_CTYPE and LANG: UTF-8?  NULL: not set.  (Pure.)
 */
bool terminal_has_colour (const char *term, const char *colorterm,
                          const char *no_color);
bool terminal_has_utf8 (const char *lc_all, const char *lc_ctype,
                        const char *lang);

/* How wide it is; 0: 'fd' is no terminal, or does not tell.  Standard output
 * that a pager reads is as wide as the terminal that the pager is on, by the
 * variable TERMINAL_PAGED.
 */
int terminal_columns (int fd);

#define TERMINAL_PAGED "FANFOLD_PAGED_COLUMNS"

/* Show a screen on the terminal that 'fd' and standard input are, until
 * terminal_close.  NULL: they are none, it has no cursor to move, or this
 * process is in the background.  SIGTSTP, SIGCONT, SIGWINCH and SIGTTOU are
 * blocked meanwhile, for terminal_key to act on.
 */
struct terminal *terminal_open (int fd);

/* Columns and rows, as they are now. */
void terminal_size (const struct terminal *terminal, int *columns, int *rows);

/* Show these lines, from the top; nothing while the process is in the
 * background.
 */
void terminal_draw (struct terminal *terminal, const struct strvec *lines);

/* Wait for a key for 's' seconds at most (0: look).  Its character; 0: none was
 * pressed, or it has another size now, is shown again, or a signal was caught:
 * draw; -1: there is no terminal any more.  Where it is to stop (SIGTSTP) it
 * gives the terminal back, stops, and goes on when it is continued.
 */
int terminal_key (struct terminal *terminal, double s);

/* Make the terminal what it was; NULL is legal. */
void terminal_close (struct terminal *terminal);

#endif /* !BASE_TERMINAL_H */
