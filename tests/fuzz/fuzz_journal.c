/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_journal.c - journal segments folded into a state, and state.json */
#include "base/base.h"

#include "engine/history/state.h"
#include "fuzz.h"
#include "space/record_log.h"
#include "whole_records.h"

/* More tasks are legal and only take time. */
enum { TASKS_MAX = 200 };

static struct strbuf checkpoint_of (const struct state *state)
{
    struct json *v = state_to_json (state);
    struct strbuf text = STRBUF_INIT;

    json_dump (v, JSON_COMPACT, &text);
    json_unref (v);
    return text;
}

static int fold (const struct json *event, void *arg, struct error *err)
{
    struct state *state = arg;
    struct strbuf before = STRBUF_INIT;
    struct strbuf after = STRBUF_INIT;

    if (json_as_int (json_get (event, "tasks")) > TASKS_MAX)
        return 0;
    before = checkpoint_of (state);
    if (state_apply (state, event, err) < 0) {
        after = checkpoint_of (state);
        must_hold (strcmp (before.buf, after.buf) == 0,
                   "an event that does not fit changes nothing");
    }
    strbuf_release (&before);
    strbuf_release (&after);
    return 0; /* the next one may fit */
}

/* What a checkpoint holds is the state again. */
static void read_checkpoint (const char *text, size_t len)
{
    struct json *v = json_parse (text, len, "state.json", NULL);
    struct state state = STATE_INIT;
    struct state again = STATE_INIT;
    struct strbuf first = STRBUF_INIT;
    struct strbuf second = STRBUF_INIT;
    struct json *written;

    if (v && state_from_json (v, &state, NULL) == 0) {
        first = checkpoint_of (&state);
        written = json_parse (first.buf, first.len, "state.json", NULL);
        must_hold (written && state_from_json (written, &again, NULL) == 0,
                   "a checkpoint can be read");
        second = checkpoint_of (&again);
        must_hold (strcmp (first.buf, second.buf) == 0,
                   "a checkpoint is the whole state");
        json_unref (written);
    }
    json_unref (v);
    state_release (&state);
    state_release (&again);
    strbuf_release (&first);
    strbuf_release (&second);
}

static void read_journal (const char *text, size_t len)
{
    struct state state = STATE_INIT;
    struct strbuf checkpoint;
    uint64_t accepted = UINT64_MAX;

    record_scan (text, len, "journal", fold, &state, &accepted, NULL);
    must_hold (accepted <= len, "no more is accepted than there is");
    checkpoint = checkpoint_of (&state);
    read_checkpoint (checkpoint.buf, checkpoint.len);
    strbuf_release (&checkpoint);
    state_release (&state);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    struct strbuf log = STRBUF_INIT;

    read_journal ((const char *)data, size);
    whole_records ((const char *)data, size, &log);
    read_journal (log.buf, log.len);
    read_checkpoint ((const char *)data, size);
    strbuf_release (&log);
    return 0;
}
