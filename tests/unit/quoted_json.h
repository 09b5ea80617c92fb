/* SPDX-License-Identifier: BSD-3-Clause */
/* quoted_json.h - JSON in C strings, with ' for "; included behind cmocka.h */
#ifndef TESTS_QUOTED_JSON_H
#define TESTS_QUOTED_JSON_H

#include "base/json.h"

/* Caller unrefs. */
static inline struct json *json_of (const char *text)
{
    struct strbuf quoted = STRBUF_INIT;
    struct error err = ERROR_INIT;
    struct json *v;

    for (; *text; text++)
        strbuf_add_char (&quoted, *text == '\'' ? '"' : *text);
    v = json_parse (quoted.buf, quoted.len, "text", &err);
    if (!v)
        fail_msg ("%s: %s", err.text, quoted.buf);
    strbuf_release (&quoted);
    return v;
}

/* The text of 'v', with ' again; caller releases. */
static inline void text_of (const struct json *v, struct strbuf *out)
{
    json_dump (v, JSON_COMPACT, out);
    for (size_t i = 0; i < out->len; i++) {
        if (out->buf[i] == '"')
            out->buf[i] = '\'';
    }
}

static inline void assert_json (const struct json *v, const char *text)
{
    struct strbuf found = STRBUF_INIT;

    text_of (v, &found);
    assert_string_equal (found.buf, text);
    strbuf_release (&found);
}

#endif /* !TESTS_QUOTED_JSON_H */
