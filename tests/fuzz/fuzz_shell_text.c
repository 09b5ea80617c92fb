/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_shell_text.c - what a shell script reads and sets */
#include "base/base.h"

#include "campaign/shell_text.h"
#include "fuzz.h"

/* A word is where it is said to be. */
static void check_words (const struct shell_words *words, const char *text)
{
    for (size_t i = 0; i < words->n; i++) {
        const struct shell_word *word = &words->v[i];
        const char *line = text;

        for (int k = 0; line && k < word->line; k++) {
            line = strchr (line, '\n');
            line += line != NULL;
        }
        must_hold (line && (size_t)word->column <= strlen (line),
                   "its place is in the text");
        must_hold (
            strncmp (line + word->column, word->name, strlen (word->name)) == 0,
            "it is there");
    }
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    char *text = xstrndup ((const char *)data, size);
    struct shell_text shell = SHELL_TEXT_INIT;

    (void)shell_text_read (&shell, text);
    check_words (&shell.reads, text);
    check_words (&shell.braces, text);
    shell_text_release (&shell);
    free (text);
    return 0;
}
