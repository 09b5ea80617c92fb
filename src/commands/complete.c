/* SPDX-License-Identifier: BSD-3-Clause */
/* complete.c - what may stand at the cursor, for the shells (completion.c) */
#include "base/base.h"

#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/command_line.h"
#include "commands/template_files.h"
#include "engine/history/state.h"

/* Nobody reads longer lists. */
enum { NUMBERS_MAX = 1000 };

struct choice {
    const char *begun; /* the word so far */
    struct command_line line;
};

static void offer (const struct choice *choice, const char *prefix,
                   const char *name)
{
    _cleanup_free_ char *word = xasprintf ("%s%s", prefix, name);

    if (strncmp (word, choice->begun, strlen (choice->begun)) == 0)
        puts (word);
}

static void offer_numbers (const struct choice *choice, int64_t n)
{
    for (int64_t i = 0; i < n && i < NUMBERS_MAX; i++) {
        _cleanup_free_ char *number = xasprintf ("%" PRId64, i);

        offer (choice, "", number);
    }
}

static void offer_commands (const struct choice *choice)
{
    for (size_t i = 0; command_at (i); i++) {
        if (!command_at (i)->hidden)
            offer (choice, "", command_at (i)->name);
    }
}

static void offer_options (const struct choice *choice)
{
    const struct command_option *o = choice->line.command->options;

    for (; o && o->name; o++)
        offer (choice, "--", o->name);
    offer (choice, "--", "help");
}

static void offer_literals (const struct choice *choice)
{
    char words[sizeof (choice->line.kind)];
    char *at = words, *word;

    memcpy (words, choice->line.kind, sizeof (words));
    while ((word = strsep (&at, " |"))) {
        if (islower ((unsigned char)*word))
            offer (choice, "", word);
    }
}

static void offer_templates (const struct choice *choice)
{
    const struct template_file *f = template_files;

    for (const char *last = ""; f->template_name; f++) {
        if (strcmp (f->template_name, last) != 0)
            offer (choice, "", f->template_name);
        last = f->template_name;
    }
}

/* --- what the campaign names --- */

static void offer_stages (const struct choice *choice, const struct plan *plan)
{
    for (size_t i = 0; i < plan->n_stages; i++)
        offer (choice, "", plan->stages[i].name);
    for (size_t i = 0; i < plan->n_families; i++)
        offer (choice, "", plan->families[i].name);
}

static void offer_ports (const struct choice *choice, const struct port *port)
{
    for (; port && port->name; port++)
        offer (choice, "", port->name);
}

static void offer_outputs (const struct choice *choice, const struct plan *plan)
{
    for (size_t i = 0; i < plan->n_stages; i++) {
        const struct operator_spec *op = plan->stages[i].op;

        if (strcmp (plan->stages[i].name, choice->line.first) != 0)
            continue;
        offer_ports (choice, op->outputs);
        offer_ports (choice, op->collected);
    }
}

static void offer_tasks (const struct choice *choice, const struct state *state)
{
    const struct stage_state *stage =
        state_stage (state, state_iteration (state), choice->line.first);

    offer_numbers (choice, stage ? stage->n_tasks : 0);
}

static void offer_of_campaign (const struct choice *choice,
                               const struct campaign *campaign)
{
    const struct plan *plan = campaign->plan;
    const char *kind = choice->line.kind;
    const char *first = choice->line.first;

    if (strcmp (kind, "STAGE") == 0)
        offer_stages (choice, plan);
    else if (strcmp (kind, "TASK") == 0 && first)
        offer_tasks (choice, &campaign->engine.state);
    else if (strcmp (kind, "OUTPUT") == 0 && first)
        offer_outputs (choice, plan);
    else if (strcmp (kind, "ITERATION") == 0)
        offer_numbers (choice, campaign->engine.state.n_iterations);
    for (size_t i = 0; strcmp (kind, "FUNCTION") == 0 && i < plan->n_functions;
         i++)
        offer (choice, "", plan->functions[i].name);
    for (size_t i = 0; strcmp (kind, "PROFILE") == 0 && i < plan->n_profiles;
         i++)
        offer (choice, "", plan->profiles[i].name);
}

static void offer_names (const struct invocation *invocation,
                         const struct choice *choice)
{
    static const char *const kinds[] = { "STAGE",     "TASK",     "OUTPUT",
                                         "ITERATION", "FUNCTION", "PROFILE" };
    struct invocation other = { .command = invocation->command,
                                .program = invocation->program,
                                .dir = choice->line.dir,
                                .site = choice->line.site };
    struct campaign campaign;

    if (strcmp (choice->line.kind, "TEMPLATE") == 0)
        offer_templates (choice);
    if (strcmp (choice->line.kind, "COMMAND") == 0)
        offer_commands (choice);
    for (size_t i = 0; i < ARRAY_SIZE (kinds); i++) {
        if (strcmp (kinds[i], choice->line.kind) == 0
            && campaign_open (&other, &campaign) == STATUS_DONE) {
            offer_of_campaign (choice, &campaign);
            campaign_close (&campaign);
        }
    }
}

static enum exit_status complete (const struct invocation *invocation)
{
    int n = invocation->n_args;
    struct choice choice = { .begun = invocation->args[n - 1] };

    command_line_read (invocation->args, n, &choice.line);
    switch (choice.line.expected) {
    case WORD_COMMAND:
        offer_commands (&choice);
        break;
    case WORD_GLOBAL_OPTION:
        offer (&choice, "", "-C");
        offer (&choice, "", "--site");
        offer (&choice, "", "--version");
        offer (&choice, "", "--help");
        break;
    case WORD_OPTION:
        offer_options (&choice);
        break;
    case WORD_LITERAL:
        offer_literals (&choice);
        break;
    case WORD_NAME:
        offer_names (invocation, &choice);
        break;
    case WORD_FILE:
        break;
    }
    return STATUS_DONE;
}

const struct command complete_command = {
    .name = "complete",
    .arguments = "[WORD ...]",
    .summary = "print what may stand at the cursor of a command line",
    .hidden = true,
    .min_args = 1,
    .max_args = 1000,
    .run = complete,
};
