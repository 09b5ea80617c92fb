/* SPDX-License-Identifier: BSD-3-Clause */
/* expression_token.c - the words and signs of an expression */
#include "config.h"

#include <string.h>

#include "base/error.h"
#include "signature/expression_token.h"

static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
static const char digits[] = "0123456789";
static const char word_characters[] = "abcdefghijklmnopqrstuvwxyz"
                                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ_"
                                      "0123456789";

static size_t column_of (const struct token_reader *reader, const char *p)
{
    return (size_t)(p - reader->text) + 1;
}

/* "train.force_rmse": words joined by single dots. */
static size_t word_length (const char *p)
{
    size_t len = strspn (p, word_characters);

    while (p[len] == '.' && p[len + 1] && strchr (letters, p[len + 1]))
        len += 1 + strspn (p + len + 1, word_characters);
    return len;
}

static size_t number_length (const char *p)
{
    size_t len = strspn (p, digits), exponent;

    if (p[len] == '.')
        len += 1 + strspn (p + len + 1, digits);
    if (p[len] != 'e' && p[len] != 'E')
        return len;
    exponent = len + 1;
    if (p[exponent] == '+' || p[exponent] == '-')
        exponent++;
    if (strspn (p + exponent, digits) > 0)
        len = exponent + strspn (p + exponent, digits);
    return len;
}

/* What is wrong with the sign at 'p' (of one character), or NULL. */
static const char *bad_sign (const char *p)
{
    if (*p == '=')
        return "'=' alone; compare with ==";
    if (*p == '!')
        return "'!' alone; write not";
    if (strchr ("<>+-*/(),", *p))
        return NULL;
    return "a character that means nothing here";
}

/* Measure the token at 'p', which is not the end; NULL, or what is wrong. */
static const char *measure (const char *p, struct token *token)
{
    const char *end;

    if (strchr (letters, *p)) {
        token->kind = TOKEN_WORD;
        token->len = word_length (p);
        return NULL;
    }
    if (strchr (digits, *p)) {
        token->kind = TOKEN_NUMBER;
        token->len = number_length (p);
        if (p[token->len] == '\0' || !strchr (letters, p[token->len]))
            return NULL;
        return "not a number; durations are in seconds and sizes in bytes, "
               "without a unit";
    }
    if (*p == '"') {
        token->kind = TOKEN_TEXT;
        end = strchr (p + 1, '"');
        token->len = end ? (size_t)(end - p) + 1 : 0;
        return end ? NULL : "the text is not closed; add a '\"'";
    }
    token->kind = TOKEN_SIGN;
    token->len = strchr ("=!<>", *p) && p[1] == '=' ? 2 : 1;
    return token->len == 2 ? NULL : bad_sign (p);
}

int token_next (struct token_reader *reader, struct error *err)
{
    const char *p = reader->p + strspn (reader->p, " \t\r\n");
    struct token token = { TOKEN_END, p, 0, column_of (reader, p) };
    const char *wrong = *p ? measure (p, &token) : NULL;

    if (wrong)
        return error_set (err, "column %zu: %s", token.column, wrong);
    reader->token = token;
    reader->p = p + token.len;
    return 0;
}

bool token_is (const struct token *token, const char *word)
{
    return (token->kind == TOKEN_WORD || token->kind == TOKEN_SIGN)
           && strlen (word) == token->len
           && memcmp (word, token->start, token->len) == 0;
}
