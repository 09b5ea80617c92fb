/* SPDX-License-Identifier: BSD-3-Clause */
/* reuse_option.c - --reuse-from of the commands that drive */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "campaign/reuse_from.h"
#include "commands/reuse_option.h"
#include "engine/history/engine.h"
#include "engine/history/events.h"

static void say (const char *text, void *status)
{
    *(enum exit_status *)status =
        complain (STATUS_USAGE, "--reuse-from: %s", text);
}

/* What is known was looked at before, and may be gone since. */
static enum exit_status add (const struct engine *engine, const char *named,
                             struct json *dirs)
{
    _cleanup_free_ char *pattern = path_absolute (named);
    enum exit_status status = STATUS_DONE;
    _cleanup_ (strvec_release) struct strvec found = STRVEC_INIT;

    if (!json_array_has_string (engine->state.reuse_from, pattern)
        && !json_array_has_string (dirs, pattern)) {
        reuse_from_find (pattern, engine->dir, &found, say, &status);
        json_push (dirs, json_string (pattern));
    }
    return status;
}

enum exit_status reuse_option_take (const struct invocation *invocation,
                                    struct engine *engine)
{
    _cleanup_json_ struct json *dirs = json_array ();
    struct json *event;
    enum exit_status status = STATUS_DONE;
    struct error err = ERROR_INIT;
    const char *named;
    size_t at = 0;

    while (status == STATUS_DONE
           && (named = invocation_next (invocation, "reuse-from", &at)))
        status = add (engine, named, dirs);
    if (status == STATUS_DONE && json_count (dirs) > 0) {
        event = event_new ("reuse_from", engine_now_s (engine));
        json_set (event, "dirs", json_ref (dirs));
        if (engine_record (engine, event, &err) < 0)
            status = complain (STATUS_FAILED, "%s", err.text);
    }
    return status;
}
