/* SPDX-License-Identifier: BSD-3-Clause */
/* strvec.h - a list of strings that owns them; v is NULL-terminated, so it is
 * an argv.  STRVEC_INIT makes an empty one (v is never NULL).
 */
#ifndef BASE_STRVEC_H
#define BASE_STRVEC_H

struct strvec {
    char **v;
    size_t n;
    size_t alloc; /* 0: v is the shared empty list */
};

extern char *strvec_empty[1];
#define STRVEC_INIT                                                            \
    {                                                                          \
        strvec_empty, 0, 0                                                     \
    }

void strvec_init (struct strvec *sv);
void strvec_release (struct strvec *sv);

/* Append a copy of 's'. */
void strvec_push (struct strvec *sv, const char *s);
void strvec_pushf (struct strvec *sv, const char *fmt, ...) PRINTF_LIKE (2, 3);

/* Append copies of a NULL-terminated list. */
void strvec_push_all (struct strvec *sv, char *const *strings);
bool strvec_contains (const struct strvec *sv, const char *s);

/* Of lines of text, the last of the first 'n' that has words; NULL: none. */
const char *strvec_last_words (const struct strvec *sv, size_t n);

/* Is 's' in a NULL-terminated list?  NULL: an empty one. */
bool words_contain (const char *const *words, const char *s);

/* Which of n words 's' is; n: none. */
size_t words_index (char *const *words, size_t n, const char *s);

/* Sort by strcmp. */
void strvec_sort (struct strvec *sv);

/* Append them, with ", " between. */
void strvec_list (const struct strvec *sv, struct strbuf *out);

/* Split 's' at any character of 'separators', dropping empty pieces. */
void strvec_split (struct strvec *sv, const char *s, const char *separators);

#endif /* !BASE_STRVEC_H */
