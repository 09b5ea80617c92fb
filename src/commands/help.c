/* SPDX-License-Identifier: BSD-3-Clause */
/* help.c - all commands in groups, and what one does */
#include "base/base.h"

#include "commands/command.h"
#include "commands/help.h"
#include "commands/manual_part.h"

/* The order in which help and the manual have them; each that people call is in
 * one group.
 */
static const struct {
    const char *title;
    const char *const *names;
} groups[] = {
    { "Every day",
      (const char *const[]){ "new", "check", "plan", "run", "status", "explain",
                             "log", "result", "retry", "redo", NULL } },
    { "Begin", (const char *const[]){ "import", "call", "quick", NULL } },
    { "Drive", (const char *const[]){ "advance", "submit", "pause", "resume",
                                      "cancel", NULL } },
    { "Look", (const char *const[]){ "du", "report", "verify", NULL } },
    { "Change", (const char *const[]){ "skip", "forget", "reset", "adopt",
                                       "recover", NULL } },
    { "Data", (const char *const[]){ "data", "convert", "export", "select",
                                     "calibrate", NULL } },
    { "Site", (const char *const[]){ "doctor", "probe", "store", NULL } },
    { "Help", (const char *const[]){ "help", "completion", NULL } },
};

void help_print (FILE *to)
{
    fputs ("Usage: fanfold [-C DIR] [--site FILE] COMMAND [ARGUMENTS]\n"
           "Run concurrent-learning campaigns on batch clusters.\n\n"
           "  -C DIR        the campaign directory (default: this one)\n"
           "  --site FILE   use this site.yaml\n"
           "  --version     print the version\n"
           "  --help        print this, or a command's help after COMMAND\n",
           to);
    for (size_t i = 0; i < ARRAY_SIZE (groups); i++) {
        fprintf (to, "\n%s:\n", groups[i].title);
        for (const char *const *name = groups[i].names; *name; name++)
            fprintf (to, "  %-11s %s\n", *name, command_find (*name)->summary);
    }
    fputs ("\n`fanfold help COMMAND` prints a command's part of the manual.\n"
           "Manual pages: fanfold(1), fanfold-data(1), fanfold-quick(1),\n"
           "fanfold-campaign(5), fanfold-declare(5), fanfold-site(5),\n"
           "fanfold-operators(7), fanfold-label(7), fanfold-train(7), "
           "fanfold-explore(7),\n"
           "fanfold-select(7), fanfold-groups(7), fanfold-worker(7), "
           "fanfold-python(7),\n"
           "fanfold-reduce(1).\n",
           to);
}

/* Summaries and what options do are written to be lines of a list. */
static void print_sentence (const char *indent, const char *text, FILE *to)
{
    fprintf (to, "%s%c%s.\n", indent, toupper ((unsigned char)text[0]),
             text + 1);
}

static void print_usage (const struct command *command, FILE *to)
{
    const struct command_option *o = command->options;

    fprintf (to, "Usage: fanfold %s", command->name);
    for (; o && o->name; o++)
        fprintf (to, o->arg ? " [--%s %s]" : " [--%s%s]", o->name,
                 o->arg ? o->arg : "");
    if (command->arguments)
        fprintf (to, " %s", command->arguments);
    fputc ('\n', to);
    print_sentence ("", command->summary, to);
}

static void print_options (const struct command *command, FILE *to)
{
    const struct command_option *o = command->options;

    for (; o && o->name; o++) {
        fprintf (to, "  --%s%s%s\n", o->name, o->arg ? " " : "",
                 o->arg ? o->arg : "");
        print_sentence ("        ", o->help, to);
    }
}

void help_print_command (const struct command *command, FILE *to)
{
    print_usage (command, to);
    print_options (command, to);
}

/* Its part of the manual; where no program formats that, what --help prints. */
static enum exit_status help (const struct invocation *invocation)
{
    _cleanup_ (strbuf_release) struct strbuf part = STRBUF_INIT;
    const struct command *command;

    if (invocation->n_args == 0) {
        help_print (stdout);
        return STATUS_DONE;
    }
    if (!(command = command_find (invocation->args[0])))
        return command_unknown (invocation->args[0]);
    print_usage (command, stdout);
    if (manual_part_text (command->name, &part))
        printf ("\n%s", part.buf);
    else
        print_options (command, stdout);
    return STATUS_DONE;
}

const struct command help_command = {
    .name = "help",
    .arguments = "[COMMAND]",
    .summary = "list the commands, or print a command's part of the manual",
    .max_args = 1,
    .pages = true,
    .run = help,
};
