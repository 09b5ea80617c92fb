/* SPDX-License-Identifier: BSD-3-Clause */
/* harmless.h - text that moves no cursor, sets no title and turns no line round
 *
 * Names, messages and values come from tasks, schedulers and files of others; a
 * terminal takes some of their characters for orders.  Shown as \uXXXX are the
 * control characters of ASCII but tab and line break, C1 (U+0080 to U+009F),
 * and what changes the direction of text or breaks lines without a line break
 * (U+061C, U+200E, U+200F, U+2028 to U+202E, U+2066 to U+2069); bytes that are
 * no UTF-8 are shown as \xXX.  JSON stays JSON of the same values: none of
 * these stands in it but within a string.
 */
#ifndef BASE_HARMLESS_H
#define BASE_HARMLESS_H

/* Append 'n' bytes of text, made harmless.  Returns how many bytes were taken:
 * less than 'n' where they end within a character, of which the rest may come.
 */
size_t harmless_add (const char *bytes, size_t n, struct strbuf *out);

/* What erases the line on which the cursor stands.  It goes to the terminal
 * where it is all that is written at once: print it between two fflush().
 */
#define ERASE_LINE "\r\033[K"

/* Put a stream that makes what is printed harmless in the place of *stream,
 * which writes to 'fd' and is left as it is.  With 'wraps' lines are wrapped at
 * words (base/wrap.h) where 'fd' is a terminal, as wide as that is.  Where
 * there is no memory for one *stream stays.
 */
void harmless_stream (FILE **stream, int fd, bool wraps);

#endif /* !BASE_HARMLESS_H */
