/* SPDX-License-Identifier: BSD-3-Clause */
/* adopt.c - go on in a directory that was copied, or moved */
#include "base/base.h"

#include "base/json.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "engine/history/home.h"

static enum exit_status adopt (const struct invocation *invocation,
                               struct campaign *campaign)
{
    bool copy = invocation_option (invocation, "copy") != NULL;
    struct engine *engine = &campaign->engine;
    _cleanup_json_ struct json *v = json_object ();
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct error err = ERROR_INIT;
    int rc = home_adopt (engine, copy, &err);

    engine_give_lease (engine);
    if (rc < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    if (rc > 0)
        strbuf_addf (&text,
                     "%s: nothing to adopt: this is the directory in which it "
                     "was begun\n",
                     campaign->plan->name);
    else
        strbuf_addf (&text, "%s: goes on here%s; run `fanfold run`\n",
                     campaign->plan->name,
                     copy ? ", without the jobs of the original" : "");
    json_set (v, "adopted", json_bool (rc == 0));
    json_set (v, "copy", json_bool (copy));
    print_reply (invocation, v, text.buf);
    return STATUS_DONE;
}

static const struct command_option options[] = {
    { "copy", NULL,
      "this is a copy: what was submitted is the original's, and is left "
      "alone" },
    JSON_OPTION,
    { 0 },
};

const struct command adopt_command = {
    .name = "adopt",
    .summary = "go on in a directory to which the campaign was moved or copied",
    .options = options,
    .run_in = adopt,
};
