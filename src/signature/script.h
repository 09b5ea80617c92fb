/* SPDX-License-Identifier: BSD-3-Clause */
/* script.h - a body that is text: how it is run, and what its variables are
 *
 * An argv template of a script is script_argv, wherever it stands; the text
 * travels beside it.  Nothing is put into the text: what placeholders are to an
 * argv, variables of the environment are to a script.
 */
#ifndef SIGNATURE_SCRIPT_H
#define SIGNATURE_SCRIPT_H

/* {"{SCRIPT}"}, and a list of that alone. */
extern const char *const script_argv[];
extern const char *const *const script_commands[];

/* What script_words is called among the values of argv templates. */
#define SCRIPT_PLACEHOLDER "SCRIPT"

/* What people are told of a command that begins with 'word': "script" of a
 * script, else the word.
 */
const char *script_command_name (const char *word);

/* The file of the script, in the directory it is run in: "script", of a program
 * of a group (else NULL) "script.PROGRAM".
 */
void script_file_name (const char *program, struct strbuf *out);

/* What runs the script with this text from the file 'name': a list of words.
 * Caller unrefs.
 */
struct json *script_words (const char *text, const char *name);

/* What is to be written into the file: the text, and of one that has no `#!`
 * before its first line what makes bash print a line when a command fails
 * (script_failure).
 */
void script_file_text (const char *text, struct strbuf *out);

/* Of a line that a script printed when a command of it failed,
 *   === line 12: train --seed 5
 * what is to be told of it, "line 12: train ..."; NULL of other lines.
 */
const char *script_failure (const char *line);

/* Does a shell read it: bash, or one that its `#!` names? */
bool script_is_shell (const char *text);

/* The program that its `#!` names, or NULL.  Caller frees. */
char *script_interpreter (const char *text);

/* Append the paths below the campaign that the text names: x/y.sh of
 * $campaign/x/y.sh, "${campaign}"/x/y.sh or the like.
 */
void script_campaign_paths (const char *text, struct strvec *paths);

/* Values of argv templates that a script finds where its text names them:
 * "seed", "task", "iteration"; and those that are no variable. NULL-terminated.
 */
extern const char *const script_only_named[];
extern const char *const script_no_variables[];

/* Append the variable that a placeholder is in a script: "pick.quota" is
 * pick_quota.
 */
void script_variable (const char *placeholder, struct strbuf *out);

/* What a script calls a file with one item a line of the list 'placeholder'. */
void script_list_variable (const char *placeholder, struct strbuf *out);

#endif /* !SIGNATURE_SCRIPT_H */
