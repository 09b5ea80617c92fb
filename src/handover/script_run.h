/* SPDX-License-Identifier: BSD-3-Clause */
/* script_run.h - a script and its variables, made ready to be run
 *
 * Every placeholder is an environment variable of its name ("pick.quota" is
 * pick_quota): text as it stands, a list with one item a line, all else as JSON
 * text; paths are absolute.  `seed`, `task` and `iteration` are set where the
 * text has that word, since others are not to depend on them.  A value that is
 * null or absent is no variable, whoever else set it.
 */
#ifndef HANDOVER_SCRIPT_RUN_H
#define HANDOVER_SCRIPT_RUN_H

struct port;

/* A variable is at most so long, and all together; the longest are left out
 * until that holds.  Linux takes 128 KiB for one, and mostly 2 MiB for all
 * variables and arguments of a program.
 */
enum { SCRIPT_VARIABLE_MAX = 100000, SCRIPT_VARIABLES_MAX = 1000000 };

/* Write the file of the script in 'dir' (absolute), and for each list among
 * 'inputs' whose file the text names ($NAME_list) that file, below DIR/in.  Its
 * path becomes values["@NAME"].  An input that is absent becomes null.
 * 'program' as in script_file_name.
 */
int script_files_write (const char *text, const char *program,
                        const struct port *inputs, const char *dir,
                        struct json *values, struct error *err);

/* What {SCRIPT} stands for: sets it among 'values'. */
void script_set_words (const char *text, const char *program,
                       struct json *values);

struct script_variables {
    struct strvec set;    /* "NAME=VALUE" */
    struct strvec absent; /* "NAME=": not to be inherited either */
};

#define SCRIPT_VARIABLES_INIT                                                  \
    {                                                                          \
        .set = STRVEC_INIT, .absent = STRVEC_INIT                              \
    }

/* Of a script that runs in 'dir', from {PLACEHOLDER: value}.  -1 with 'err'
 * when a shell would read a variable that cannot be set, since its value is too
 * long or an item of the list has a line break.  Release in any case.
 */
int script_variables_make (const char *text, const struct json *values,
                           const char *dir, struct script_variables *variables,
                           struct error *err);
void script_variables_release (struct script_variables *variables);

/* Append to 'env' what is set, and to that all of 'inherited' (NULL-terminated)
 * that neither 'env' nor the script has.
 */
void script_variables_join (const struct script_variables *variables,
                            struct strvec *env);

#endif /* !HANDOVER_SCRIPT_RUN_H */
