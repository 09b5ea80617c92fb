/* SPDX-License-Identifier: BSD-3-Clause */
/* programs_check.h - are the programs there, and is a command what it looks
 * like?
 */
#ifndef CAMPAIGN_PROGRAMS_CHECK_H
#define CAMPAIGN_PROGRAMS_CHECK_H

struct compilation;
struct yaml_node;

/* Warn of words in 'argv' that only a shell understands: ">", "|", "$HOME" as
 * arguments of their own and not behind -c.
 */
void argv_check_shell (const struct yaml_node *argv);

/* Warn of the text that a shell is given behind -c in 'argv' where it ends well
 * although what it runs fails; the shell is argv's item 'shell', argv->n: none.
 */
void argv_check_failures (const struct yaml_node *argv, size_t shell);

/* Warn of the text of a shell script that goes on when a program fails, or
 * works in the campaign's directory, which all tasks share.
 */
void script_check_failures (const struct yaml_node *script);

/* "-c", "-ec": a shell reads the next argument, and what follows is its. */
bool argument_has_script (const char *text);

/* Look for the programs of all stages and of `notify:`, in the file system of
 * this host and on its PATH.  Of one that is missing, or is no program, a
 * problem is recorded where it would be started here: on a profile whose jobs
 * run on this host and that sets nothing up, beside the driver.  Elsewhere it
 * is a warning.
 */
void programs_check (const struct compilation *c);

#endif /* !CAMPAIGN_PROGRAMS_CHECK_H */
