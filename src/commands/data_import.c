/* SPDX-License-Identifier: BSD-3-Clause */
/* data_import.c - data that a campaign has in other forms, made into frames */
#include "base/base.h"

#include <sys/stat.h>

#include "base/file.h"
#include "base/tree_walk.h"
#include "campaign/plan.h"
#include "commands/data_import.h"
#include "formats/dataset_reader.h"

/* By which it shows whether a directory changed. */
struct trace {
    int64_t files, bytes, newest_s, newest_ns;
};

static int look_at (const struct tree_entry *entry, void *arg,
                    struct error *err)
{
    struct trace *trace = arg;
    const struct timespec *time = &entry->st->st_mtim;

    (void)err;
    if (entry->kind != TREE_FILE)
        return 0;
    trace->files++;
    trace->bytes += entry->st->st_size;
    if (time->tv_sec > trace->newest_s
        || (time->tv_sec == trace->newest_s
            && time->tv_nsec > trace->newest_ns)) {
        trace->newest_s = time->tv_sec;
        trace->newest_ns = time->tv_nsec;
    }
    return 0;
}

/* What is written beside the file that was made of 'dir'. */
static int describe (const char *dir, const struct heartbeat *heartbeat,
                     struct strbuf *out, struct error *err)
{
    struct trace trace = { 0 };

    if (tree_walk (dir, true, look_at, &trace, heartbeat, err) < 0)
        return -1;
    strbuf_addf (out,
                 "%s: %" PRId64 " files, %" PRId64 " bytes, newest %" PRId64
                 ".%09" PRId64 "\n",
                 dir, trace.files, trace.bytes, trace.newest_s,
                 trace.newest_ns);
    return 0;
}

static bool is_made (const char *to, const char *note,
                     const struct strbuf *wanted)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    return file_exists (to) && file_read (note, 1 << 16, &text, NULL) == 0
           && strcmp (text.buf, wanted->buf) == 0;
}

static int import_one (const struct plan *plan, const struct data_import *one,
                       const struct heartbeat *heartbeat, struct error *err)
{
    _cleanup_free_ char *from = path_join (plan->dir, one->from);
    _cleanup_free_ char *to = path_join (plan->dir, one->to);
    _cleanup_free_ char *note = xasprintf ("%s.source", to);
    _cleanup_ (strbuf_release) struct strbuf wanted = STRBUF_INIT;

    if (file_look (from, NULL) == 0 && file_exists (to))
        return 0; /* it is gone, and what was made of it stays */
    if (describe (from, heartbeat, &wanted, err) < 0)
        return error_prefix (err, "data");
    if (is_made (to, note, &wanted))
        return 0;
    if (file_make_lasting_parent (to, err) < 0
        || dataset_convert (from, (char *const *)plan->elements,
                            plan->n_elements, to, heartbeat, err)
               < 0
        || file_write_atomic (note, wanted.buf, wanted.len, err) < 0)
        return error_prefix (err, "data");
    return 0;
}

int data_import (const struct plan *plan, const struct heartbeat *heartbeat,
                 struct error *err)
{
    for (size_t i = 0; i < plan->n_imports; i++) {
        if (import_one (plan, &plan->imports[i], heartbeat, err) < 0)
            return -1;
    }
    return 0;
}
