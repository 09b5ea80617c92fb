/* SPDX-License-Identifier: BSD-3-Clause */
/* history.h - states made from events written as text, for the engine's tests
 *
 * To be readable in C the text has ' instead of ".
 */
#ifndef TESTS_HISTORY_H
#define TESTS_HISTORY_H

#include <string.h>

#include "base/error.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "engine/state.h"

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

/* Fold in what must fit. */
static inline void happen (struct state *state, const char *text)
{
    struct json *event = json_of (text);
    struct error err = ERROR_INIT;

    json_set (event, "n", json_int (state->n + 1));
    if (state_apply (state, event, &err) < 0)
        fail_msg ("%s: %s", text, err.text);
    json_unref (event);
}

/* Fold in a NULL-terminated list of events. */
static inline void happen_all (struct state *state, const char *const *texts)
{
    for (; *texts; texts++)
        happen (state, *texts);
}

#endif /* !TESTS_HISTORY_H */
