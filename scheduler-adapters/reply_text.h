/* SPDX-License-Identifier: BSD-3-Clause */
/* reply_text.h - reading what schedulers print (pure) */
#ifndef SCHEDULER_REPLY_TEXT_H
#define SCHEDULER_REPLY_TEXT_H

/* --- numbers --- */

/* A number of at most 18 digits at *p, which moves behind it; -1: none. */
int64_t reply_take_number (const char **p);

/* A number above 0 at the beginning of 'text' (NULL may be), whatever follows;
 * 0: there is none.
 */
int64_t reply_count (const char *text);

/* --- lines --- */

/* The lines of a text, of any bytes:
 *
 *     struct reply_lines lines = reply_lines (program, text, len);
 *
 *     while ((line = reply_next_line (&lines, err)))
 *         ...
 *     rc = reply_lines_end (&lines);
 *
 * A line has no newline, and is the caller's to cut in pieces until he asks for
 * the next one.  There is no next one behind one that is not whole or has a NUL
 * in it, nor behind a -1 the caller put into 'rc'.
 */
struct reply_lines {
    const char *program; /* who printed it; for messages */
    const char *text, *end;
    char *line;
    int rc;
};
struct reply_lines reply_lines (const char *program, const char *text,
                                size_t len);
char *reply_next_line (struct reply_lines *lines, struct error *err);

/* 0, or -1 when a line was bad. */
int reply_lines_end (struct reply_lines *lines);

/* -1, with the line in 'err'. */
int reply_bad_line (const char *program, const char *line, struct error *err);

/* Cut 'line' at '|' into 'n' columns in place, the last of which takes what is
 * left; -1 when it has not as many.
 */
int reply_cut (char *line, char *columns[], size_t n);

/* --- ids --- */

/* The last line of 'text' that is an id, without blanks around it; sites'
 * wrappers print more.  Behind a character of 'ends' (NULL: none) it may go
 * on.  Caller frees; NULL: there is none.
 */
char *reply_last_id (const char *text, bool (*is_id) (const char *text),
                     const char *ends);

/* Append the ids that are the lines of 'text', each once; -1 with 'err', and
 * 'ids' untouched, when one is none.
 */
int reply_ids (const char *program, const char *text, size_t len,
               bool (*is_id) (const char *text), struct strvec *ids,
               struct error *err);

/* --- settings: a text "name = value" for each, ended by NUL; behind the last
 * of them is an empty one ---
 */

/* The value of the last setting called 'name', lent; NULL: there is none. */
const char *reply_value (const char *settings, const char *name);

/* A whole number; 'none' when it is not there or is something else. */
int64_t reply_number (const char *settings, const char *name, int64_t none);

/* Is it there, and does it say just this? */
bool reply_says (const char *settings, const char *name, const char *value);

/* Seconds, of what units.h calls a duration; 0: it is not there or is something
 * else.
 */
double reply_duration (const char *settings, const char *name);

/* The wall clock, in seconds, of a time as ctime prints it, for Greenwich; 0:
 * as above.
 */
double reply_time (const char *settings, const char *name);

/* Bytes, of "8gb", "16384kb": powers of 1024; 0: as above. */
int64_t reply_bytes (const char *settings, const char *name);

#endif /* !SCHEDULER_REPLY_TEXT_H */
