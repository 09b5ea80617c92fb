/* SPDX-License-Identifier: BSD-3-Clause */
/* state_rows.h - tables of events and of what is found in the state after each
 */
#ifndef TESTS_STATE_ROWS_H
#define TESTS_STATE_ROWS_H

#include "engine/history/state.h"
#include "history.h"

/* "iterations.0.stages" of the state as JSON; lent by 'v'. */
static inline const struct json *look (const struct json *v, const char *path)
{
    char word[64];

    while (v && *path) {
        size_t len = strcspn (path, ".");

        assert_true (len < sizeof (word));
        memcpy (word, path, len);
        word[len] = '\0';
        v = word[0] >= '0' && word[0] <= '9' ? json_at (v, (size_t)atoi (word))
                                             : json_get (v, word);
        path += len + (path[len] == '.');
    }
    return v;
}

static inline void expect (const struct state *state, const char *path,
                           const char *at)
{
    struct json *v = state_to_json (state);

    assert_json (look (v, path), at);
    json_unref (v);
}

/* An event (or none) and what is then found at a place of the state. */
struct row {
    const char *event;
    const char *path;
    const char *text;
};

static inline void walk (struct state *state, const struct row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        print_message ("# %s %s\n", rows[i].event ? rows[i].event : "",
                       rows[i].path);
        if (rows[i].event)
            happen (state, rows[i].event);
        expect (state, rows[i].path, rows[i].text);
    }
}

#define STAGE0 "iterations.0.stages.0."
#define ATTEMPT0 STAGE0 "attempts.0."
#define ATTEMPT1 STAGE0 "attempts.1."
#define FIRST ATTEMPT0 "submissions.0."
#define SECOND ATTEMPT0 "submissions.1."
#define OF_TRAIN "'iteration':0,'stage':'train'"

static const char *const running[] = {
    "{'ev':'campaign','id':'c1'}",
    "{'ev':'iteration','iteration':0}",
    "{'ev':'prepared'," OF_TRAIN ",'tasks':5}",
    "{'ev':'attempt'," OF_TRAIN
    ",'attempt':0,'tasks':'0-4'," PACKED ("1", "1", "1") "}",
    "{'ev':'intent'," OF_TRAIN ",'chunk':0,'token':'ta','elements':3}",
    NULL,
};

#endif /* !TESTS_STATE_ROWS_H */
