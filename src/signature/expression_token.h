/* SPDX-License-Identifier: BSD-3-Clause */
/* expression_token.h - the words and signs of an expression */
#ifndef SIGNATURE_EXPRESSION_TOKEN_H
#define SIGNATURE_EXPRESSION_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

struct error;

enum token_kind {
    TOKEN_END,
    TOKEN_NUMBER,
    TOKEN_TEXT, /* with its quotes */
    TOKEN_WORD, /* a name (dotted words) or a word like `and` */
    TOKEN_SIGN,
};

struct token {
    enum token_kind kind;
    const char *start; /* borrowed from the text */
    size_t len;
    size_t column; /* from 1 */
};

/* Start with { .text = text, .p = text }. */
struct token_reader {
    const char *text;
    const char *p; /* behind 'token' */
    struct token token;
};

/* Read one on; -1 with 'err' "column N: what; what to do". */
int token_next (struct token_reader *reader, struct error *err);

/* Is it this word or sign? */
bool token_is (const struct token *token, const char *word);

#endif /* !SIGNATURE_EXPRESSION_TOKEN_H */
