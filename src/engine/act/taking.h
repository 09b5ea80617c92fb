/* SPDX-License-Identifier: BSD-3-Clause */
/* taking.h - results that are there already and are what a task would make
 *
 * Where a task has the identity of one of an earlier generation of the stage in
 * this iteration, its result is taken and not made again.  Files are linked
 * hard, so that nothing takes room twice; where the file system will not link
 * they are copied.  Those of other campaigns that a person named are always
 * copied, and compared with what is recorded of them.  Where definition and
 * slices are the same the directory of all tasks goes on as it is, unless it
 * lacks tasks that another source may have.
 */
#ifndef ENGINE_TAKING_H
#define ENGINE_TAKING_H

#include <sys/stat.h>

#include "arrays/task_range.h"
#include "base/file.h"
#include "engine/act/identity_index.h"
#include "engine/act/origins.h"

struct engine;
struct stage;
struct stage_description;

/* A generation that results may be taken from. */
struct taking_source {
    char *dir;            /* absolute */
    char *campaign;       /* the other one that it is of; NULL: it is ours */
    const char *sha256;   /* of outputs.json, lent; NULL: not known */
    struct json *witness; /* NULL: not known */
    struct stat seen;     /* of its stage.json, before anything was read */
    struct json *manifest;
    struct json *outputs; /* its outputs.json; NULL: not read, or none */
    struct task_range ok; /* of the tasks that these tell */
    struct identity_index index;
};

struct taking {
    struct engine *engine;
    const struct stage *stage;
    const struct stage_description *description; /* lent */
    const char *making;            /* of the generation that is made; lent */
    bool artifacts;                /* do its tasks leave an `out`? */
    struct taking_source *sources; /* our own, then others; the newest first */
    size_t n, alloc;
    int whole; /* the source that goes on as it is; -1: none */
    struct file_writer
        *log; /* of those without artifacts, while it is written */
    int64_t log_bytes;
    /* What was taken: */
    struct task_range ok;
    struct origins origins; /* ... of those that other campaigns made */
    struct json *logs;      /* the log of those without artifacts, or NULL */
};

#define TAKING_INIT                                                            \
    {                                                                          \
        .whole = -1                                                            \
    }

/* Find the generations that have tasks in common with that in 'making', whose
 * slices are there.  To be released in any case.
 */
int taking_begin (struct taking *taking, struct engine *engine,
                  const struct stage *stage,
                  const struct stage_description *description,
                  const char *making, struct error *err);
void taking_release (struct taking *taking);

/* Is what was read there up to now all of this generation?  Nothing moves back:
 * another one in its place would still be there.
 */
bool taking_source_stays (const struct taking_source *source);

/* {"campaign", "stage", "iteration", "task"} of a task of another campaign's
 * generation; NULL: it is ours.  Caller unrefs.
 */
struct json *taking_origin (const struct taking_source *source, int32_t task);

/* Take what is to be in the generation when it appears. */
int taking_fill (struct taking *taking, struct error *err);

/* It appeared at 'dir' (relative): take what goes on as a whole. */
int taking_finish (struct taking *taking, const char *dir, struct error *err);

#endif /* !ENGINE_TAKING_H */
