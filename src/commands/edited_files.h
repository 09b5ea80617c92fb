/* SPDX-License-Identifier: BSD-3-Clause */
/* edited_files.h - campaign.yaml and site.yaml while a command works
 *
 * People edit them at any time.  A driver takes on what they say when they have
 * stood still for a second: what is being written is not half read.
 */
#ifndef COMMANDS_EDITED_FILES_H
#define COMMANDS_EDITED_FILES_H

#include <sys/stat.h>

struct engine;
struct heartbeat;
struct invocation;
struct plan;
struct problems;

enum { EDITED_FILES = 3 };

struct edited_files {
    const struct invocation *invocation;
    char *paths[EDITED_FILES]; /* campaign.yaml, site.yaml (NULL: there is
                                  none), and the directory of data that were
                                  kept */
    struct stat taken[EDITED_FILES], seen[EDITED_FILES];
    double seen_s; /* mono: when they were first seen so */
    bool held;     /* they are not what the campaign goes by */
};

/* What 'invocation' (lent) is about, as it is now. */
void edited_files_open (struct edited_files *files,
                        const struct invocation *invocation);
void edited_files_close (struct edited_files *files);

/* The plan they make, or that which was taken on last where they have problems,
 * after a complaint (files->held); NULL after a complaint.  For cron (--quiet)
 * the same complaint is made once, not at each call.
 */
struct plan *edited_files_plan (struct edited_files *files,
                                const struct engine *engine);

/* A driver went by 'files'; unless they were held, a later complaint is a new
 * one.
 */
void edited_files_driven (const struct edited_files *files);

/* Members of struct plan_source; 'files' are struct edited_files. */
struct plan *edited_files_reread (const struct heartbeat *heartbeat,
                                  void *files);
struct plan *edited_files_recompile (struct json *config, void *files);
void edited_files_held (const char *why, void *files);

/* Record in 'problems' how 'plan' does not fit what has run: elements in
 * another order, stages that have results and are not in it; the latter as
 * warnings of a definition that was taken on already.
 */
void edited_files_orphans (const struct edited_files *files,
                           const struct engine *engine, const struct plan *plan,
                           struct problems *problems);

/* How many labelled frames the stage published that the definition that was
 * taken on last calls 'name'; 0: none, or not known.
 */
int64_t edited_files_frames (const struct edited_files *files,
                             const struct engine *engine, const char *name);

/* What the campaign went by last, by its journal; NULL: it has not begun, or
 * that cannot be compiled any more.  The caller's.
 */
struct plan *edited_files_recorded (const struct edited_files *files,
                                    const struct engine *engine);

#endif /* !COMMANDS_EDITED_FILES_H */
