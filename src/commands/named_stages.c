/* SPDX-License-Identifier: BSD-3-Clause */
/* named_stages.c - what STAGE [TASK] of a command names */
#include "base/base.h"

#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/named_stages.h"

void named_stages_release (struct named_stages *named)
{
    free (named->v);
    *named = (struct named_stages)NAMED_STAGES_INIT;
}

/* --- the words --- */

static enum exit_status read_key (const char *text, struct named_stages *named)
{
    struct task_key key;

    if (task_key_parse (text, &key) < 0)
        return complain (STATUS_USAGE,
                         "'%s' is no key; write it as `fanfold status --keys` "
                         "does: iter-000003--train, or iter-000003--train-"
                         "000002 for its task 2",
                         text);
    memcpy (named->name, key.stage, sizeof (named->name));
    named->iteration = key.iteration;
    named->task = key.task;
    return STATUS_DONE;
}

/* A number that an option or argument says, and maybe the key, too. */
static enum exit_status read_number (const char *what, const char *text,
                                     int *number)
{
    int n = parse_number (what, text);

    if (n < 0)
        return STATUS_USAGE;
    if (*number >= 0 && *number != n)
        return complain (STATUS_USAGE,
                         "%s: the key says %d, and '%s' is something else; "
                         "leave one of them out",
                         what, *number, text);
    *number = n;
    return STATUS_DONE;
}

enum exit_status named_stages_read (const struct invocation *invocation,
                                    const char *text, const char *task,
                                    struct named_stages *named)
{
    const char *iteration = invocation_option (invocation, "iteration");
    enum exit_status status = STATUS_DONE;

    if (task_key_is_meant (text))
        status = read_key (text, named);
    else
        snprintf (named->name, sizeof (named->name), "%s", text);
    if (status == STATUS_DONE && iteration)
        status = read_number ("--iteration", iteration, &named->iteration);
    if (status == STATUS_DONE && task)
        status = read_number ("TASK", task, &named->task);
    return status;
}

/* --- the stages --- */

/* What a stage is called now that was called 'name'; NULL: none was. */
static const char *name_now (const struct plan *plan, const char *name)
{
    for (size_t i = 0; i < plan->n_stages; i++) {
        const char *const *former = plan->stages[i].renamed_from;

        for (; former && *former; former++) {
            if (strcmp (*former, name) == 0)
                return plan->stages[i].name;
        }
    }
    return NULL;
}

static enum exit_status unknown_stage (const struct plan *plan,
                                       const char *name)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    if (name_now (plan, name))
        return complain (STATUS_USAGE, "stage '%s' is called '%s' now", name,
                         name_now (plan, name));
    for (size_t i = 0; i < plan->n_families; i++)
        strvec_push (&names, plan->families[i].name);
    for (size_t i = 0; i < plan->n_stages; i++)
        strvec_push (&names, plan->stages[i].name);
    complain_unknown ("stage", name, &names);
    return STATUS_USAGE;
}

void named_stages_text (const struct named_stages *named, struct strbuf *out)
{
    for (size_t i = 0; i < named->n; i++)
        strbuf_addf (out, "%s%s", i > 0 ? ", " : "", named->v[i]->name);
}

static enum exit_status complain_of_steps (const struct named_stages *named)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    named_stages_text (named, &text);
    complain (STATUS_USAGE, "stage '%s' has steps; name one of them: %s",
              named->name, text.buf);
    return STATUS_USAGE;
}

enum exit_status named_stages_find (const struct invocation *invocation,
                                    const struct plan *plan, const char *text,
                                    const char *task,
                                    struct named_stages *named)
{
    enum exit_status status = named_stages_read (invocation, text, task, named);

    if (status != STATUS_DONE)
        return status;
    named->v = xcalloc (plan->n_stages + 1, sizeof (*named->v));
    named->family = plan_family_find (plan, named->name);
    for (size_t i = 0; i < plan->n_stages; i++) {
        const char *name = plan->stages[i].name;

        if (named->family ? stage_is_of (name, named->name)
                          : strcmp (name, named->name) == 0)
            named->v[named->n++] = &plan->stages[i];
    }
    if (named->n == 0)
        return unknown_stage (plan, named->name);
    return named->family && named->task >= 0 ? complain_of_steps (named)
                                             : STATUS_DONE;
}

const struct stage *named_stage (const struct named_stages *named)
{
    if (!named->family)
        return named->v[0];
    complain_of_steps (named);
    return NULL;
}

/* --- the iteration --- */

static enum exit_status check_iteration (const struct campaign *campaign,
                                         int asked, int *iteration)
{
    int current = state_iteration (&campaign->engine.state);

    if (asked < 0)
        asked = current;
    if (asked < 0 || asked > current)
        return complain (STATUS_FAILED,
                         current < 0 ? "the campaign has not begun"
                                     : "iteration %d has not begun",
                         asked);
    *iteration = asked;
    return STATUS_DONE;
}

enum exit_status named_iteration (const struct campaign *campaign,
                                  const struct named_stages *named,
                                  int *iteration)
{
    return check_iteration (campaign, named->iteration, iteration);
}

enum exit_status campaign_iteration (const struct campaign *campaign,
                                     const struct invocation *invocation,
                                     int *iteration)
{
    const char *text = invocation_option (invocation, "iteration");
    int asked = text ? parse_number ("--iteration", text) : -1;

    return text && asked < 0 ? STATUS_USAGE
                             : check_iteration (campaign, asked, iteration);
}
