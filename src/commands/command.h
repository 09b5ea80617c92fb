/* SPDX-License-Identifier: BSD-3-Clause */
/* command.h - one row of the command table
 *
 * Each command is a file with one `const struct command`; the table lists
 * them in the order help prints them.  Options are described once, here, for
 * parsing, --help and the manual page alike.
 */
#ifndef COMMANDS_COMMAND_H
#define COMMANDS_COMMAND_H

struct campaign;

/* What the program ends with (the manual page's EXIT STATUS). */
enum exit_status {
    STATUS_DONE = 0, /* done, or nothing to do */
    STATUS_FAILED = 1,
    STATUS_USAGE = 2,
    STATUS_INVALID = 3,     /* campaign.yaml or site.yaml is wrong */
    STATUS_BUSY = 4,        /* another driver holds the lock */
    STATUS_UNREACHABLE = 5, /* a scheduler or a file: try later */
    STATUS_INTERRUPTED = 130,
};

struct command_option {
    const char *name; /* long; NULL terminates */
    const char *arg;  /* "N"; NULL: a flag */
    const char *help; /* as a summary */
};

enum { OPTIONS_MAX = 32 };

struct option_value {
    int option; /* in the command's table */
    const char *value;
};

/* One call of the program. */
struct invocation {
    const struct command *command;
    const char *program;          /* path of this program */
    const char *dir;              /* -C, default "." */
    const char *site;             /* --site, or NULL */
    struct option_value *options; /* in the order they were given in */
    size_t n_options;
    char **args;
    int n_args;
};

struct command {
    const char *name;
    const char *arguments; /* "STAGE [TASK]"; NULL: none */
    /* One line that says what to do: a sentence but for its first capital and
     * full stop.
     */
    const char *summary;
    bool hidden; /* not for people: left out of help */
    int min_args, max_args;
    const char *arguments_of; /* the option without which there are none; NULL:
                                 they are the command's */
    const struct command_option *options; /* or NULL */

    /* Refuse files with problems, where others go on with what was taken on
     * last.
     */
    bool needs_valid_files;

    /* Refuse files that would leave results without a stage, where others go on
     * with what was taken on last.
     */
    bool needs_all_results;

    /* What it prints is what a task wrote: on a terminal made harmless as all
     * is, elsewhere as it is.  Not wrapped.
     */
    bool prints_bytes;

    /* What it prints goes through a pager (pager.h), but with --json and with
     * the option 'goes_on' (NULL: there is none).
     */
    bool pages;
    const char *goes_on;

    /* Refuse a campaign that is not where it was begun while it has jobs, where
     * others only warn of it.
     */
    bool drives;

    /* Stages may be prepared: data of other forms are to be frames before. */
    bool imports_data;
    enum exit_status (*run) (const struct invocation *invocation);

    /* In place of 'run': with the campaign open. */
    enum exit_status (*run_in) (const struct invocation *invocation,
                                struct campaign *campaign);
};

/* The value of an option ("" for a flag that was given), or NULL; the last one
 * where it was given more than once.
 */
const char *invocation_option (const struct invocation *invocation,
                               const char *name);

/* The values of an option that may be given several times: the next one from
 * *at on (0 at first), or NULL.
 */
const char *invocation_next (const struct invocation *invocation,
                             const char *name, size_t *at);

/* The i-th row of the table, or NULL behind the last; the one of that name. */
const struct command *command_at (size_t i);
const struct command *command_find (const char *name);

/* Complain that there is none of that name, with what may be meant.
 * STATUS_USAGE.
 */
enum exit_status command_unknown (const char *name);

/* --- from argv to a command that runs --- */

/* Parse, run, return the exit status: the whole program but for main(). */
int invocation_main (int argc, char **argv);

/* Print "fanfold: message" on stderr and return 'status'. */
enum exit_status complain (enum exit_status status, const char *fmt, ...)
    __attribute__ ((format (printf, 2, 3)));

/* Complain that there is no WHAT called 'name', with the nearest of 'names', or
 * with all of them.  STATUS_USAGE.
 */
enum exit_status complain_unknown (const char *what, const char *name,
                                   const struct strvec *names);

void print_json (const struct json *v);

/* What a command did or found, on stdout: 'v', one object, where --json was
 * given, else 'text' as it is.
 */
void print_reply (const struct invocation *invocation, const struct json *v,
                  const char *text);

/* Its row in the table of a command that does something. */
#define JSON_OPTION                                                            \
    {                                                                          \
        "json", NULL, "print what was done as one JSON object"                 \
    }

/* What is printed on stdout from now on is for programs: no line of it is
 * wrapped on a terminal.
 */
void print_unwrapped (void);

/* SIGINT, SIGTERM and SIGHUP end a driver in good order: catch them; *the
 * returned flag* becomes their number.
 */
const volatile int *stopping_flag (void);

/* A whole number >= 0 given as an option or argument; -1 after complaining. */
int parse_number (const char *what, const char *text);

/* --- every command, in the order help prints them --- */

/* NAME_command is what a command's file exports.  The last of them are started
 * by jobs and by the program itself.
 */
#define COMMANDS                                                               \
    COMMAND (new)                                                              \
    COMMAND (import)                                                           \
    COMMAND (check)                                                            \
    COMMAND (plan)                                                             \
    COMMAND (run)                                                              \
    COMMAND (advance)                                                          \
    COMMAND (submit)                                                           \
    COMMAND (call)                                                             \
    COMMAND (status)                                                           \
    COMMAND (explain)                                                          \
    COMMAND (log)                                                              \
    COMMAND (result)                                                           \
    COMMAND (report)                                                           \
    COMMAND (select)                                                           \
    COMMAND (export)                                                           \
    COMMAND (convert)                                                          \
    COMMAND (data)                                                             \
    COMMAND (calibrate)                                                        \
    COMMAND (du)                                                               \
    COMMAND (quick)                                                            \
    COMMAND (verify)                                                           \
    COMMAND (doctor)                                                           \
    COMMAND (probe)                                                            \
    COMMAND (store)                                                            \
    COMMAND (pause)                                                            \
    COMMAND (resume)                                                           \
    COMMAND (cancel)                                                           \
    COMMAND (retry)                                                            \
    COMMAND (skip)                                                             \
    COMMAND (redo)                                                             \
    COMMAND (forget)                                                           \
    COMMAND (reset)                                                            \
    COMMAND (adopt)                                                            \
    COMMAND (recover)                                                          \
    COMMAND (help)                                                             \
    COMMAND (completion)                                                       \
    COMMAND (complete)                                                         \
    COMMAND (agent)                                                            \
    COMMAND (allocation_runner)                                                \
    COMMAND (group)                                                            \
    COMMAND (supervisor)                                                       \
    COMMAND (operator)                                                         \
    COMMAND (examine_node)                                                     \
    COMMAND (wake)

#define COMMAND(name) extern const struct command name##_command;
COMMANDS
#undef COMMAND

#endif /* !COMMANDS_COMMAND_H */
