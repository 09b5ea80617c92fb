/* SPDX-License-Identifier: BSD-3-Clause */
/* pbs.h - the parts of the PBS adapter (pure but for pbs_poll, pbs_query_site)
 */
#ifndef PBS_PBS_H
#define PBS_PBS_H

#include "command_scheduler.h"
#include "reply_text.h"

/* OpenPBS and PBS Professional; TORQUE, from its manual and never tried. */
extern const struct command_scheduler pbs_commands;
extern const struct command_scheduler torque_commands;

/* --- records.c: what PBS prints ---
 *
 * Text, not JSON: what qstat prints as JSON is broken in one way or another in
 * every release up to 23 as soon as a value has a quote, a backslash, a leading
 * zero or a byte that is not UTF-8 in it, and one bad job spoils the whole
 * answer.
 */

/* "12.server", "12[].server" of an array, "12[5].server" of a sub-job */
struct pbs_id {
    int64_t number; /* >= 0: a new server's first one is 0 */
    int64_t index;  /* of a sub-job; else -1 */
};

/* False when 'text' is no id. */
bool pbs_read_id (const char *text, struct pbs_id *id);
bool pbs_is_id (const char *text);

/* The records of a text, of any bytes: a heading with an id or a name, lines
 * "    name = value" that are continued behind a tab, an empty line.  'heading'
 * begins one: "Job Id: ", "Server: ", "Queue: ", or "" for nodes.  To be read
 * as the lines of reply_text.h are.
 */
struct pbs_records {
    struct reply_lines lines;
    const char *heading;
    struct strbuf id; /* of the record: what follows the heading */
    struct strbuf settings;
    bool had_one;
};
struct pbs_records pbs_records (const char *heading, const char *text,
                                size_t len);

/* The settings (reply_text.h) of the next record, lent until the one after it;
 * NULL: there is none left, or 'err' quotes a line that belongs to none, or
 * says that the text is cut off.
 */
const char *pbs_next_record (struct pbs_records *records, struct error *err);
int pbs_records_end (struct pbs_records *records);

/* --- jobs.c: how jobs stand --- */

/* Tell a struct job_view the answer of `qstat -f -t`. */
int pbs_tell_jobs (const char *text, size_t len, void *view, struct error *);

/* Append the names in an answer of `qstat -f` to a struct strvec. */
int pbs_read_names (const char *text, size_t len, void *names, struct error *);
enum answer pbs_poll (struct client *client, struct job_view *view,
                      struct error *err);

/* --- site.c: what `qstat -B -f`, `qstat -Q -f` and `pbsnodes -a` tell --- */

/* Each reads one answer into a struct site_description; -1 with 'err': it is
 * none. */
int pbs_read_server (const char *text, size_t len, void *site, struct error *);
int pbs_read_queues (const char *text, size_t len, void *site, struct error *);
int pbs_read_nodes (const char *text, size_t len, void *site, struct error *);

/* The smallest number that a limit such as "[u:PBS_GENERIC=5],[u:me=9]" or
 * "[o:PBS_ALL=100]" sets to 'user'; one of his own counts before the generic
 * one.  0: none, as in NULL.
 */
int64_t pbs_read_limit (const char *text, const char *user);
enum answer pbs_query_site (struct client *client, bool detailed,
                            struct site_description *site, struct error *err);

#endif /* !PBS_PBS_H */
