/* SPDX-License-Identifier: BSD-3-Clause */
/* strbuf.h - text that grows
 *
 * Invariant: buf is never NULL and buf[len] is '\0'; buf may contain NULs
 * when bytes were added.  STRBUF_INIT makes an empty one; releasing twice is
 * legal and leaves an empty, usable strbuf.
 */
#ifndef BASE_STRBUF_H
#define BASE_STRBUF_H

struct strbuf {
    char *buf;
    size_t len;
    size_t alloc; /* 0: buf is the shared empty string */
};

extern char strbuf_empty[1];
#define STRBUF_INIT                                                            \
    {                                                                          \
        strbuf_empty, 0, 0                                                     \
    }

void strbuf_init (struct strbuf *sb);
void strbuf_release (struct strbuf *sb);

/* Empty it, keeping the memory. */
void strbuf_reset (struct strbuf *sb);

/* Shorten to 'len' bytes; 'len' must not exceed sb->len. */
void strbuf_truncate (struct strbuf *sb, size_t len);

/* Cut what is longer to at most 'len' bytes and "...", not within a character
 * of UTF-8.
 */
void strbuf_shorten (struct strbuf *sb, size_t len);

/* Make sure 'extra' more bytes and the terminator fit. */
void strbuf_reserve (struct strbuf *sb, size_t extra);

void strbuf_add (struct strbuf *sb, const void *bytes, size_t len);
void strbuf_add_char (struct strbuf *sb, char c);
void strbuf_add_str (struct strbuf *sb, const char *s);
void strbuf_addf (struct strbuf *sb, const char *fmt, ...) PRINTF_LIKE (2, 3);
void strbuf_vaddf (struct strbuf *sb, const char *fmt, va_list ap)
    PRINTF_LIKE (2, 0);

/* Append 'n' in decimal digits. */
void strbuf_add_int (struct strbuf *sb, int64_t n);

/* Append 'v' with the fewest digits that read back to the same double; always
 * recognisable as a real number ("1.0", "1e+300"; "nan", "inf", "-inf").
 */
void strbuf_add_double (struct strbuf *sb, double v);

/* What a file or a program said is shown in one line and moves no cursor: turn
 * the control characters of 'text' into '?'.  Returns it.
 */
char *text_made_plain (char *text);

/* Is there a letter or a digit in it?  Lines of "-----" say nothing. */
bool text_has_words (const char *text, size_t len);

/* Hand the text over; the caller frees it.  'sb' is empty afterwards. */
char *strbuf_detach (struct strbuf *sb);

#endif /* !BASE_STRBUF_H */
