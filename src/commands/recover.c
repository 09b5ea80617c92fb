/* SPDX-License-Identifier: BSD-3-Clause */
/* recover.c - go on with a campaign whose journal is damaged or cut */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "commands/command.h"
#include "engine/history/recovery.h"
#include "space/layout.h"

static void add_list (const char *what, const struct strvec *list,
                      struct strbuf *out)
{
    for (size_t i = 0; i < list->n; i++)
        strbuf_addf (out, "%s%s%s", i == 0 ? what : ", ", list->v[i],
                     i + 1 == list->n ? "\n" : "");
}

static void recovery_text (const struct recovery *recovery, struct strbuf *out)
{
    if (!recovery->needed) {
        strbuf_add_str (out, "the journal is whole; nothing to recover\n");
        return;
    }
    strbuf_addf (out, "recovered: %" PRId64 " events of the journal stay",
                 recovery->events);
    if (recovery->by_state)
        strbuf_add_str (out, ", and what state.json tells beyond them");
    if (recovery->lost > 0)
        strbuf_addf (out, "; the last %" PRId64 " are lost", recovery->lost);
    if (recovery->segment > 0)
        strbuf_addf (out, "; segment %" PRId64 " of the journal is gone",
                     recovery->segment);
    strbuf_addf (out, "\nthe former journal is in %s\n", recovery->kept);
    add_list ("attempts that nothing is known of any more: ", &recovery->moved,
              out);
    add_list ("cancel their jobs, where they still are: ", &recovery->jobs,
              out);
    strbuf_add_str (out,
                    "results that are there count; `fanfold run` goes on\n");
}

static struct json *recovery_json (const struct recovery *recovery)
{
    struct json *v = json_object ();

    json_set (v, "needed", json_bool (recovery->needed));
    if (!recovery->needed)
        return v;
    json_set (v, "events", json_int (recovery->events));
    json_set (v, "lost", json_int (recovery->lost));
    json_set (v, "by_state", json_bool (recovery->by_state));
    json_set (v, "segment_gone",
              recovery->segment > 0 ? json_int (recovery->segment)
                                    : json_null ());
    json_set (v, "kept", json_string (recovery->kept));
    json_set (v, "attempts", json_strings (&recovery->moved));
    json_set (v, "jobs", json_strings (&recovery->jobs));
    return v;
}

static void print_recovery (const struct invocation *invocation,
                            const struct recovery *recovery)
{
    _cleanup_json_ struct json *v = recovery_json (recovery);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    recovery_text (recovery, &text);
    print_reply (invocation, v, text.buf);
}

static enum exit_status recover (const struct invocation *invocation)
{
    struct recovery recovery = RECOVERY_INIT;
    struct error err = ERROR_INIT;
    char *dir = path_absolute (invocation->dir);
    char *hidden = path_join (dir, LAYOUT_HIDDEN_DIR);
    int rc = file_look (hidden, &err);

    if (rc == 0)
        error_set (&err, "'%s' has no campaign that has begun", dir);
    rc =
        rc > 0 ? campaign_recover (dir, stopping_flag (), &recovery, &err) : -1;
    if (rc == 0)
        print_recovery (invocation, &recovery);
    recovery_release (&recovery);
    free (hidden);
    free (dir);
    if (rc != 0)
        return complain (rc > 0 ? STATUS_BUSY : STATUS_FAILED, "%s", err.text);
    return STATUS_DONE;
}

static const struct command_option options[] = { JSON_OPTION, { 0 } };

const struct command recover_command = {
    .name = "recover",
    .summary = "make a damaged journal whole from what is provable",
    .options = options,
    .run = recover,
};
