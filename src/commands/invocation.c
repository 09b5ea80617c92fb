/* SPDX-License-Identifier: BSD-3-Clause */
/* invocation.c - from argv to a command that runs */
#include "base/base.h"

#include <getopt.h>
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/harmless.h"
#include "base/json.h"
#include "base/problems.h"
#include "base/process.h"
#include "base/terminal.h"
#include "base/version.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/help.h"
#include "commands/pager.h"

#define COMMAND(name) &name##_command,
static const struct command *const commands[] = { COMMANDS NULL };
#undef COMMAND

const struct command *command_at (size_t i)
{
    return commands[i];
}

const struct command *command_find (const char *name)
{
    for (const struct command *const *c = commands; *c; c++) {
        if (strcmp ((*c)->name, name) == 0)
            return *c;
    }
    return NULL;
}

enum { OPTION_FIRST = 256, OPTION_HELP = 512 };

enum exit_status complain (enum exit_status status, const char *fmt, ...)
{
    va_list ap;
    _cleanup_free_ char *text = NULL;

    va_start (ap, fmt);
    text = text_made_plain (xvasprintf (fmt, ap));
    va_end (ap);
    fprintf (stderr, "fanfold: %s\n", text);
    return status;
}

enum exit_status complain_unknown (const char *what, const char *name,
                                   const struct strvec *names)
{
    const char *nearest = nearest_word (name, names);
    _cleanup_ (strbuf_release) struct strbuf all = STRBUF_INIT;

    strvec_list (names, &all);
    complain (STATUS_USAGE, "there is no %s '%s'; %s%s%s", what, name,
              nearest ? "did you mean '" : "there is ",
              nearest ? nearest : all.buf, nearest ? "'?" : "");
    return STATUS_USAGE;
}

void print_unwrapped (void)
{
    FILE *wraps = stdout;

    if (terminal_columns (STDOUT_FILENO) == 0)
        return;
    fflush (stdout);
    harmless_stream (&stdout, STDOUT_FILENO, false);
    if (stdout != wraps)
        fclose (wraps);
}

void print_json (const struct json *v)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    print_unwrapped ();
    json_dump (v, JSON_PRETTY, &text);
    fputs (text.buf, stdout);
}

void print_reply (const struct invocation *invocation, const struct json *v,
                  const char *text)
{
    if (invocation_option (invocation, "json"))
        print_json (v);
    else
        fputs (text, stdout);
}

static volatile int stopped_by; /* a signal handler can only write a global */

static void on_signal (int signal)
{
    stopped_by = signal;
}

const volatile int *stopping_flag (void)
{
    struct sigaction action = { .sa_handler = on_signal };

    sigemptyset (&action.sa_mask);
    sigaction (SIGINT, &action, NULL);
    sigaction (SIGTERM, &action, NULL);
    sigaction (SIGHUP, &action, NULL);
    return &stopped_by;
}

int parse_number (const char *what, const char *text)
{
    char *end;
    long n = strtol (text, &end, 10);

    if (end != text && *end == '\0' && n >= 0 && n <= 999999)
        return (int)n;
    complain (STATUS_USAGE, "%s: '%s'; write a whole number from 0 to 999999",
              what, text);
    return -1;
}

const char *invocation_option (const struct invocation *invocation,
                               const char *name)
{
    const char *last = NULL, *value;
    size_t at = 0;

    while ((value = invocation_next (invocation, name, &at)))
        last = value;
    return last;
}

const char *invocation_next (const struct invocation *invocation,
                             const char *name, size_t *at)
{
    while (*at < invocation->n_options) {
        const struct option_value *one = &invocation->options[(*at)++];

        if (strcmp (invocation->command->options[one->option].name, name) == 0)
            return one->value;
    }
    return NULL;
}

/* The words before the command.  -1: go on; else the exit status. */
static int parse_globals (int argc, char **argv, struct invocation *invocation)
{
    static const struct option longs[] = {
        { "site", required_argument, NULL, 's' },
        { "help", no_argument, NULL, 'h' },
        { "version", no_argument, NULL, 'V' },
        { 0 },
    };
    int c;

    while ((c = getopt_long (argc, argv, "+C:h", longs, NULL)) != -1) {
        switch (c) {
        case 'C':
            invocation->dir = optarg;
            break;
        case 's':
            invocation->site = optarg;
            break;
        case 'h':
            help_print (stdout);
            return STATUS_DONE;
        case 'V':
            printf (PACKAGE_NAME " %s\n", program_version ());
            return STATUS_DONE;
        default:
            return complain (STATUS_USAGE, "try 'fanfold --help'");
        }
    }
    if (optind < argc)
        return -1;
    help_print (stderr);
    return STATUS_USAGE;
}

/* Is it a directory with a campaign, which -C should name? */
static bool is_campaign_dir (const char *name)
{
    _cleanup_free_ char *path = path_join (name, "campaign.yaml");

    return file_exists (path);
}

static int max_args (const struct invocation *invocation)
{
    const struct command *command = invocation->command;

    return command->arguments_of
                   && !invocation_option (invocation, command->arguments_of)
               ? 0
               : command->max_args;
}

static int check_count (const struct invocation *invocation)
{
    const struct command *command = invocation->command;

    if (invocation->n_args >= command->min_args
        && invocation->n_args <= max_args (invocation))
        return -1;
    if (max_args (invocation) == 0 && is_campaign_dir (invocation->args[0]))
        return complain (STATUS_USAGE,
                         "to name a campaign's directory write fanfold -C %s "
                         "%s",
                         invocation->args[0], command->name);
    if (invocation->n_args > max_args (invocation)
        && strcmp (path_base (invocation->args[0]), "campaign.yaml") == 0)
        return complain (STATUS_USAGE,
                         "campaign.yaml is read where it lies; write fanfold "
                         "%s, or fanfold -C DIRECTORY %s",
                         command->name, command->name);
    return complain (
        STATUS_USAGE, "usage: fanfold %s%s%s; try 'fanfold %s --help'",
        command->name, command->arguments ? " " : "",
        command->arguments ? command->arguments : "", command->name);
}

/* A command's own words.  -1: go on; else the exit status. */
static int parse_command (int argc, char **argv, struct invocation *invocation)
{
    const struct command_option *options = invocation->command->options;
    struct option longs[OPTIONS_MAX + 2] = { { 0 } };
    int n = 0;
    int c;

    for (; options && options[n].name; n++)
        longs[n] =
            (struct option){ options[n].name,
                             options[n].arg ? required_argument : no_argument,
                             NULL, OPTION_FIRST + n };
    longs[n] = (struct option){ "help", no_argument, NULL, OPTION_HELP };
    invocation->options = xcalloc ((size_t)argc, sizeof (*invocation->options));
    optind = 0;
    while ((c = getopt_long (argc, argv, "h", longs, NULL)) != -1) {
        if (c == OPTION_HELP || c == 'h') {
            help_print_command (invocation->command, stdout);
            return STATUS_DONE;
        }
        if (c == '?' && optopt == 'C')
            return complain (STATUS_USAGE,
                             "-C stands before the command: fanfold -C DIR "
                             "%s",
                             invocation->command->name);
        if (c == '?')
            return complain (STATUS_USAGE, "try 'fanfold %s --help'",
                             invocation->command->name);
        invocation->options[invocation->n_options++] =
            (struct option_value){ c - OPTION_FIRST, optarg ? optarg : "" };
    }
    invocation->args = argv + optind;
    invocation->n_args = argc - optind;
    return check_count (invocation);
}

/* What other programs call it. */
static const char *command_meant (const char *name)
{
    static const struct {
        const char *name, *meant;
    } others[] = { { "stop", "pause` or `fanfold cancel" },
                   { "kill", "cancel" },
                   { "abort", "cancel" },
                   { "start", "run" },
                   { "continue", "resume` or `fanfold run" },
                   { "restart", "retry` or `fanfold redo" },
                   { "rerun", "redo" },
                   { "undo", "status --replaced" },
                   { "rm", "forget` or `fanfold reset" },
                   { "remove", "forget` or `fanfold reset" },
                   { "delete", "forget` or `fanfold reset" },
                   { "clean", "reset" },
                   { "ls", "status" },
                   { "list", "status" },
                   { "show", "explain" },
                   { "init", "new" },
                   { "validate", "check" } };

    for (size_t i = 0; i < ARRAY_SIZE (others); i++) {
        if (strcmp (others[i].name, name) == 0)
            return others[i].meant;
    }
    return NULL;
}

enum exit_status command_unknown (const char *name)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    const char *meant = command_meant (name);

    if (meant)
        return complain (STATUS_USAGE,
                         "there is no command '%s'; see `fanfold %s`", name,
                         meant);

    if (is_campaign_dir (name))
        return complain (STATUS_USAGE,
                         "there is no command '%s'; to name a campaign's "
                         "directory write fanfold -C %s COMMAND",
                         name, name);
    for (const struct command *const *c = commands; *c; c++) {
        if (!(*c)->hidden)
            strvec_push (&names, (*c)->name);
    }
    if (nearest_word (name, &names))
        complain_unknown ("command", name, &names);
    else
        complain (STATUS_USAGE,
                  "there is no command '%s'; try 'fanfold --help'", name);
    return STATUS_USAGE;
}

static enum exit_status carry_out (const struct invocation *invocation)
{
    struct campaign campaign;
    enum exit_status status;

    if (invocation->command->run)
        return invocation->command->run (invocation);
    status = campaign_open (invocation, &campaign);
    if (status == STATUS_DONE)
        status = invocation->command->run_in (invocation, &campaign);
    campaign_close (&campaign);
    return status;
}

/* JSON is for programs. */
static bool is_paged (const struct invocation *invocation)
{
    const struct command *command = invocation->command;

    return command->pages && !invocation_option (invocation, "json")
           && !(command->goes_on
                && invocation_option (invocation, command->goes_on));
}

static enum exit_status run (const struct invocation *invocation, FILE *as_is)
{
    const struct command *command = invocation->command;
    struct pager pager = { 0 };
    enum exit_status status;

    if (command->prints_bytes && !isatty (STDOUT_FILENO)) {
        fclose (stdout);
        stdout = as_is;
    } else if (command->prints_bytes) {
        print_unwrapped ();
    }
    if (is_paged (invocation))
        pager_begin (&pager);
    status = carry_out (invocation);
    pager_end (&pager);
    return status;
}

/* Times are counted from 1970, and 0 means that something has not been. */
static int check_clock (void)
{
    double now_s = clock_wall_s ();
    char now[CLOCK_ISO_SIZE];

    if (now_s > 0)
        return 0;
    clock_iso (now_s, now);
    complain (STATUS_FAILED,
              "the clock of this host says %s, before 1970; set it, then run "
              "this again",
              now);
    return -1;
}

int invocation_main (int argc, char **argv)
{
    struct invocation invocation = { .dir = "." };
    char *program = NULL;
    FILE *as_is = stdout;
    int status;

    if (process_open_standard () < 0)
        return STATUS_FAILED;
    program = process_self ();
    harmless_stream (&stdout, STDOUT_FILENO, true);
    harmless_stream (&stderr, STDERR_FILENO, true);
    invocation.program = program ? program : argv[0];
    if ((status = parse_globals (argc, argv, &invocation)) >= 0)
        goto done;
    if (!(invocation.command = command_find (argv[optind]))) {
        status = command_unknown (argv[optind]);
        goto done;
    }
    status = parse_command (argc - optind, argv + optind, &invocation);
    if (status < 0 && check_clock () < 0)
        status = STATUS_FAILED;
    else if (status < 0)
        status = (int)run (&invocation, as_is);
done:
    free (invocation.options);
    free (program);
    return status;
}
