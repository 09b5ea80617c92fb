/* SPDX-License-Identifier: BSD-3-Clause */
/* lists.c - all frames by class, in files like DP-GEN's */
#include "base/base.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "reduce/inspect.h"
#include "reduce/lists.h"
#include "reduce/selection_input.h"

static const size_t text_bytes_max = 1 << 20;

static const char *const prefixes[LISTS] = { "rest_accurate", "candidate",
                                             "rest_failed" };

/* Caller frees. */
static char *part_path (const char *dir, int list, size_t system, int rank)
{
    return xasprintf ("%s/%d.%zu.%d", dir, list, system, rank);
}

/* Say it of a list; the first failure counts. */
static void fail (struct lists *lists, int list)
{
    _cleanup_free_ char *path =
        part_path (lists->dir, list, lists->system, lists->rank);

    lists->rc = error_prefix (lists->err, "%s", path);
}

static void write_text (struct lists *lists, int list)
{
    struct strbuf *text = &lists->text[list];

    if (text->len > 0 && lists->rc == 0
        && file_write_all (lists->fds[list], text->buf, text->len, lists->err)
               < 0)
        fail (lists, list);
    lists->written[list] += text->len;
    strbuf_reset (text);
}

/* Go back to what is kept for good. */
static void rewind_list (struct lists *lists, int list)
{
    uint64_t kept = lists->kept[list], written = lists->written[list];

    if (kept >= written) {
        strbuf_truncate (&lists->text[list], (size_t)(kept - written));
        return;
    }
    strbuf_reset (&lists->text[list]);
    if (lists->rc == 0 && ftruncate (lists->fds[list], (off_t)kept) < 0) {
        error_errno (lists->err, "cannot cut it");
        fail (lists, list);
    }
    lists->written[list] = kept;
}

static void close_system (struct lists *lists)
{
    for (int i = 0; i < LISTS; i++) {
        if (lists->fds[i] < 0)
            continue;
        write_text (lists, i);
        if (close (lists->fds[i]) < 0 && errno != EINTR && lists->rc == 0) {
            error_errno (lists->err, "cannot close it");
            fail (lists, i);
        }
        lists->fds[i] = -1;
    }
}

static void open_system (struct lists *lists, size_t system)
{
    lists->system = system;
    for (int i = 0; i < LISTS && lists->rc == 0; i++) {
        _cleanup_free_ char *path =
            part_path (lists->dir, i, system, lists->rank);
        off_t end;

        lists->fds[i] = file_open (path, O_WRONLY | O_CREAT | O_APPEND, 0666);
        end = lists->fds[i] < 0 ? -1 : lseek (lists->fds[i], 0, SEEK_END);
        if (end < 0) {
            error_errno (lists->err, "cannot write it");
            fail (lists, i);
        }
        lists->written[i] = lists->kept[i] = end < 0 ? 0 : (uint64_t)end;
    }
}

/* A file begins, maybe once more. */
static void start_file (size_t system, void *arg)
{
    struct lists *lists = arg;

    for (int i = 0; i < LISTS; i++)
        rewind_list (lists, i);
    if (lists->fds[0] >= 0 && lists->system == system)
        return;
    close_system (lists);
    open_system (lists, system);
}

/* Up to the last slash; a directory "traj" is the task's. */
static size_t task_dir_len (const char *path)
{
    const char *base = path_base (path);
    size_t len = (size_t)(base - path);

    while (len > 1 && path[len - 1] == '/')
        len--;
    if (len > 5 && memcmp (path + len - 5, "/traj", 5) == 0)
        len -= 5;
    return len;
}

/* Where the frame's task is: from the input's root on, if it is below that. */
static const char *task_path (const struct selection_input *input,
                              const struct trajectory *trajectory)
{
    const char *path =
        trajectory->path ? trajectory->path : trajectory->deviations;
    size_t len = input->root ? strlen (input->root) : 0;

    if (len > 0 && strncmp (path, input->root, len) == 0 && path[len] == '/')
        return path + len + 1;
    return path;
}

static void add_frame (enum frame_class class, const struct sampled *frame,
                       void *arg)
{
    struct lists *lists = arg;
    const struct trajectory *trajectory =
        input_trajectory (lists->input, frame->task);
    const char *path = task_path (lists->input, trajectory);
    int list = class == FRAME_INVALID ? FRAME_FAILED : (int)class;
    struct strbuf *text = &lists->text[list];
    size_t len = task_dir_len (path);

    strbuf_addf (text, "%.*s %lld", len > 0 ? (int)len : 1,
                 len > 0 ? path : ".", (long long)frame->step);
    if (frame->atom > 0)
        strbuf_addf (text, " %lld", (long long)frame->atom - 1);
    strbuf_add_char (text, '\n');
    if (text->len > text_bytes_max)
        write_text (lists, list);
}

void lists_init (struct lists *lists, const struct selection_input *input,
                 const char *dir, int rank, struct error *err)
{
    *lists = (struct lists){ .input = input,
                             .dir = dir,
                             .rank = rank,
                             .listener = { start_file, add_frame, lists },
                             .err = err };
    for (int i = 0; i < LISTS; i++) {
        strbuf_init (&lists->text[i]);
        lists->fds[i] = -1;
    }
}

int lists_keep (struct lists *lists)
{
    for (int i = 0; i < LISTS; i++)
        lists->kept[i] = lists->written[i] + lists->text[i].len;
    return lists->rc;
}

int lists_close (struct lists *lists)
{
    for (int i = 0; i < LISTS; i++)
        rewind_list (lists, i);
    close_system (lists);
    for (int i = 0; i < LISTS; i++)
        strbuf_release (&lists->text[i]);
    return lists->rc;
}

/* --- together --- */

/* Append the file 'from', if it is there, to 'fd'. */
static int append_file (int fd, const char *from, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf block = STRBUF_INIT;
    int in = file_open (from, O_RDONLY | O_NONBLOCK, 0), rc = 0;
    ssize_t n = 0;

    if (in < 0)
        return errno == ENOENT ? 0
                               : error_errno (err, "cannot open '%s'", from);
    strbuf_reserve (&block, text_bytes_max);
    while (rc == 0 && (n = read (in, block.buf, text_bytes_max)) > 0)
        rc = file_write_all (fd, block.buf, (size_t)n, err);
    if (n < 0)
        rc = error_errno (err, "cannot read '%s'", from);
    close (in);
    return rc;
}

static int merge_list (const char *from, int n_ranks, int list, size_t system,
                       const char *to, struct error *err)
{
    _cleanup_free_ char *path =
        xasprintf ("%s/%s.shuffled.%03zu.out", to, prefixes[list], system);
    int fd = file_open (path, O_WRONLY | O_CREAT | O_EXCL, 0666);
    int rc = fd < 0 ? error_errno (err, "cannot create '%s'", path) : 0;

    for (int rank = 0; rc == 0 && rank < n_ranks; rank++) {
        _cleanup_free_ char *part = part_path (from, list, system, rank);

        rc = append_file (fd, part, err);
    }
    if (rc < 0 && fd >= 0)
        error_prefix (err, "%s", path);
    if (rc == 0)
        rc = file_sync (fd, path, err);
    if (fd >= 0)
        close (fd);
    return rc;
}

int lists_merge (const struct selection_input *input, const char *from,
                 int n_ranks, const char *to, struct error *err)
{
    int rc = 0;

    for (size_t i = 0; i < input->systems.n; i++) {
        for (int list = 0; rc == 0 && list < LISTS; list++)
            rc = merge_list (from, n_ranks, list, i, to, err);
    }
    return rc;
}
