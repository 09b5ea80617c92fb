/* SPDX-License-Identifier: BSD-3-Clause */
/* shell_text.h - which variables the text of a shell script reads and sets
 *
 * It knows quotes, comments, here-documents, arithmetic and command
 * substitutions; on any doubt a variable counts as set, or the text as one of
 * which nothing is known.
 */
#ifndef CAMPAIGN_SHELL_TEXT_H
#define CAMPAIGN_SHELL_TEXT_H

/* Something that stands at a place of the text. */
struct shell_word {
    char *name;
    int line, column; /* from 0 */
};

struct shell_words {
    struct shell_word *v;
    size_t n, alloc;
};

struct shell_text {
    struct shell_words reads;  /* $NAME, ${NAME} where it must be set */
    struct shell_words braces; /* {NAME}, which is text to a shell */
    struct strvec set;         /* names */
};

#define SHELL_TEXT_INIT                                                        \
    {                                                                          \
        .set = STRVEC_INIT                                                     \
    }

/* False where nothing can be said: something else may set variables (eval,
 * source, module ...), or a quote or a here-document has no end.  Release in
 * any case.
 */
bool shell_text_read (struct shell_text *shell, const char *text);
void shell_text_release (struct shell_text *shell);

#endif /* !CAMPAIGN_SHELL_TEXT_H */
