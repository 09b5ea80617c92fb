/* SPDX-License-Identifier: BSD-3-Clause */
/* slurm.h - the parts of the Slurm adapter (pure but for slurm_poll,
 * slurm_query_site)
 */
#ifndef SLURM_SLURM_H
#define SLURM_SLURM_H

#include "command_scheduler.h"
#include "job_view.h"

struct site_description;

extern const struct command_scheduler slurm_commands;
extern const struct complaint_text slurm_complaints[];

/* --- states.c: words for the state of a job --- */

/* What 'word' means, as squeue or sacct print it: "RUNNING", "CANCELLED by
 * 1000", "OUT_OF_ME+" (cut off by a narrow column).  'reason' (may be NULL)
 * is squeue's: it tells a held job from a queued one.  A word that is not
 * known, or cut off so that it may be two, is ELEMENT_UNCLEAR: never guessed.
 */
struct element_status slurm_state (const char *word, const char *reason);

/* Will a job that is queued for this reason never start by itself?  Then what
 * a person can do about it; else NULL.
 */
const char *slurm_stuck (const char *reason);

/* --- jobs.c: how jobs stand --- */

/* Is it a positive number? */
bool slurm_is_id (const char *text);

/* Call 'each' for every index below 'end' in "4", "4-9", "2-4,6,9", "0-10:2",
 * each perhaps with a throttle "%2" behind.  0, or -1 when 'text' is something
 * else (also when it was cut off: "1-5,7...").
 */
int slurm_each_index (const char *text, int64_t end,
                      void (*each) (int64_t index, void *arg), void *arg);

/* Append the names in "n[1-3,5],m07-[08-10]x": -1, and none, when 'text' is
 * something else.
 */
int slurm_expand_nodes (const char *text, struct strvec *names);

/* The columns asked for. */
#define SLURM_SQUEUE_FORMAT "%F|%K|%T|%V|%r|%j"
#define SLURM_SACCT_FORMAT "JobID,State,JobName"

/* Tell a struct job_view the whole answer; -1 with 'err' when a line cannot be
 * read.
 */
int slurm_tell_squeue (const char *text, size_t len, void *view,
                       struct error *);
int slurm_tell_sacct (const char *text, size_t len, void *view, struct error *);

/* What it means that squeue does not show an element: what ended is shown for
 * MinJobAge, so what is younger than that, or was pending when 'memories'
 * (below; NULL: none) were written, was cancelled before it started.
 */
void slurm_infer (struct job_view *view, const struct json *memories,
                  double now_s, double min_job_age_s);

/* Append the names that squeue shows for one job, a line each, to a struct
 * strvec.
 */
int slurm_read_names (const char *text, size_t len, void *names,
                      struct error *err);

/* One squeue for all; sacct only when squeue does not show an element and the
 * site has accounting.  What was pending is kept in cache_dir until the next
 * poll (below).
 */
enum answer slurm_poll (struct client *client, struct job_view *view,
                        struct error *err);

/* --- site.c: what `scontrol show`, sinfo and sacctmgr tell --- */

/* The columns asked of `sinfo --exact`, which groups nodes that are alike, and
 * of `sacctmgr --noheader --parsable2 show`.
 */
#define SLURM_SINFO_FORMAT "%R|%D|%c|%m|%T|%G"
#define SLURM_ASSOCIATION_FORMAT                                               \
    "format=Account,Partition,MaxSubmitJobs,QOS,DefaultQOS"
#define SLURM_QOS_FORMAT                                                       \
    "format=Name,MaxSubmitJobsPerUser,MaxSubmitJobsPerAccount,GrpSubmitJobs"

/* Read the answers of `scontrol show config`, `scontrol --oneliner show
 * partition` and sinfo into a struct site_description.  -1 with 'err': it is no
 * such answer.
 */
int slurm_read_config (const char *text, size_t len, void *site,
                       struct error *);
int slurm_read_partitions (const char *text, size_t len, void *site,
                           struct error *err);
int slurm_read_nodes (const char *text, size_t len, void *site, struct error *);

/* Slurm's "UNLIMITED", "60", "1:00", "1-00:00:00", "300 sec" -> seconds; 0 for
 * no limit, -1 for something else.
 */
double slurm_read_minutes (const char *text);

/* What squeue calls TIME_LEFT, on a line of its own, -> seconds; INFINITY
 * without limit.
 */
int slurm_read_time_left (const char *text, size_t len, void *left_s,
                          struct error *err);

enum answer slurm_query_site (struct client *client, bool detailed,
                              struct site_description *site, struct error *err);

/* --- accounts.c: what accounting lets a user have --- */

/* The smallest number of elements queued and running that 'associations' and
 * 'qos' (the tables) let a job have; 0: none is set.  It runs under the
 * scheduler's account, queue and QOS (NULL: the default), and under the QOS of
 * the partition itself (NULL: none).  Where several associations may be meant,
 * all count.  Limits of a group or an account are shared with others: they
 * bound what one user can have at best.
 */
int64_t slurm_submit_limit (const char *associations, const char *qos,
                            const struct scheduler *scheduler,
                            const char *partition_qos);

/* The accounts of the table become those of the site. */
void slurm_add_accounts (const char *associations,
                         struct site_description *site);

/* --- memory.c: which elements of a job were pending at the last poll ---
 *
 * A pending element that is cancelled alone leaves no trace anywhere: squeue
 * shows neither it nor how it ended, and sacct never knew it.  Slurm shows what
 * ended for MinJobAge.  So one that was pending less than that ago and is not
 * shown any more did not run in between: it was cancelled.
 *
 * What is remembered is {TOKEN: {"polled_s", "pending": RANGE, "cancelled":
 * RANGE}}: the latter was concluded before.  What cannot be read is nothing.
 */

/* Tell the view what is remembered of elements that were not told. */
void slurm_memory_recall (const struct json *memories, struct job_view *view,
                          double now_s, double min_job_age_s);

/* What is to be remembered after a poll: of the view's jobs what is known by
 * now, of others what was asked for within a month.  Caller unrefs.
 */
struct json *slurm_memory_after (const struct json *memories,
                                 const struct job_view *view, double now_s);

/* The file in 'dir' between two polls; NULL: there is none.  Caller unrefs.
 * Writing it only makes answers better: failing is no error.
 */
struct json *slurm_memory_read (const char *dir);
void slurm_memory_write (const char *dir, struct json *memories);

#endif /* !SLURM_SLURM_H */
