/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c - fanfold-reduce: select frames by how much a committee disagrees
 *
 * mpirun -n R fanfold-reduce plan.json.  The result is the same bytes for any
 * R.  Only rank 0 prints.
 */
#include "config.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "reduce/exchange.h"
#include "reduce/plan_file.h"
#include "reduce/result.h"
#include "reduce/scan.h"
#include "reduce/share.h"
#include "selection/draw.h"

enum { STATUS_OK = 0, STATUS_FAILED = 1, STATUS_USAGE = 2, STATUS_INVALID = 3 };

static const int64_t no_failure = INT64_MAX;
static const size_t plan_bytes_max = (size_t)1 << 30;

static const char usage[] = "usage: fanfold-reduce PLAN.json\n"
                            "       fanfold-reduce --help | --version\n";

static const char help[] =
    "\n"
    "Read trajectories and the forces of every model of a committee (LAMMPS\n"
    "dumps), judge each frame by the largest deviation of the forces on an\n"
    "atom, select candidates at random, and write them as extended XYZ with\n"
    "a JSON file of numbers.  PLAN.json says which and how; fanfold writes\n"
    "it.  Under mpirun the ranks share the trajectories; the result is the\n"
    "same bytes for any number of ranks.\n"
    "\n"
    "Exit status: 0 done, 1 failed, 2 usage, 3 invalid plan.\n";

/* Say it once, whoever else found the same. */
static int complain (int status, const struct error *err)
{
    if (exchange_rank () == 0)
        fprintf (stderr, "fanfold-reduce: %s\n", err->text);
    return status;
}

/* Rank 0 reads the plan, so that all see the same. */
static int read_plan (const char *path, struct plan *plan, struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    int64_t failure = no_failure;
    int rc;

    if (exchange_rank () == 0
        && file_read (path, plan_bytes_max, &text, err) < 0)
        failure = 0;
    rc = exchange_failure (failure, err);
    if (rc == 0) {
        exchange_share_text (&text);
        rc = plan_parse (text.buf, text.len, path, plan, err);
    }
    strbuf_release (&text);
    return rc;
}

/* What will be read for the trajectory; what is absent has no bytes. */
static uint64_t trajectory_bytes (const struct plan *plan,
                                  const struct trajectory *trajectory)
{
    struct stat st;
    uint64_t bytes = 0;

    if (stat (trajectory->path, &st) == 0)
        bytes += (uint64_t)st.st_size;
    for (size_t k = 0; k < plan->n_models; k++) {
        if (stat (trajectory->forces[k], &st) == 0)
            bytes += (uint64_t)st.st_size;
    }
    return bytes;
}

/* Who reads what; again rank 0 looks, so that all agree.  Caller frees. */
static int *find_owners (const struct plan *plan)
{
    size_t n = plan->n_trajectories;
    uint64_t *bytes = xcalloc (n, sizeof (*bytes));
    int *owner = xcalloc (n, sizeof (*owner));

    for (size_t i = 0; exchange_rank () == 0 && i < n; i++)
        bytes[i] = trajectory_bytes (plan, &plan->trajectories[i]);
    exchange_share (bytes, n);
    share_trajectories (bytes, n, exchange_ranks (), owner);
    free (bytes);
    return owner;
}

/* Read this rank's trajectories.  Of several that are malformed the first
 * fails, whoever reads it.
 */
static int scan_share (const struct plan *plan,
                       struct scan_result *result,
                       struct draw *draw,
                       struct error *err)
{
    int *owner = find_owners (plan), rank = exchange_rank ();
    int64_t failure = no_failure;

    for (size_t i = 0; failure == no_failure && i < plan->n_trajectories; i++) {
        if (owner[i] == rank
            && scan_trajectory (plan, &plan->trajectories[i], result, draw, err)
                   < 0)
            failure = (int64_t)i;
    }
    free (owner);
    return exchange_failure (failure, err);
}

static void combine (struct scan_result *result, struct draw *draw)
{
    exchange_sum (result->tally.frames, FRAME_CLASSES);
    exchange_sum (result->tally.bins, TALLY_BINS);
    exchange_max (&result->tally.max_deviation);
    exchange_sum (result->counts, SCAN_COUNTS);
    exchange_draw (draw);
}

static int reduce (const struct plan *plan, struct error *err)
{
    struct scan_result result = SCAN_RESULT_INIT;
    int64_t failure = no_failure;
    struct draw draw;
    int rc;

    draw_init (&draw, plan->seed, plan->quota);
    rc = scan_share (plan, &result, &draw, err);
    if (rc == 0) {
        combine (&result, &draw);
        if (exchange_rank () == 0) {
            draw_sort (&draw);
            if (result_write (plan, &result, &draw, err) < 0)
                failure = 0;
        }
        rc = exchange_failure (failure, err);
    }
    draw_release (&draw);
    return rc;
}

static int run (const char *plan_path)
{
    struct plan plan = PLAN_INIT;
    struct error err = ERROR_INIT;
    int status = STATUS_OK;

    if (read_plan (plan_path, &plan, &err) < 0)
        status = complain (STATUS_INVALID, &err);
    else if (reduce (&plan, &err) < 0)
        status = complain (STATUS_FAILED, &err);
    plan_release (&plan);
    return status;
}

static int run_command_line (int argc, char **argv)
{
    bool first = exchange_rank () == 0;

    if (argc == 2 && strcmp (argv[1], "--version") == 0) {
        if (first)
            puts (PACKAGE_STRING);
        return STATUS_OK;
    }
    if (argc == 2 && strcmp (argv[1], "--help") == 0) {
        if (first)
            printf ("%s%s", usage, help);
        return STATUS_OK;
    }
    if (argc != 2 || argv[1][0] == '-') {
        if (first)
            fputs (usage, stderr);
        return STATUS_USAGE;
    }
    return run (argv[1]);
}

int main (int argc, char **argv)
{
    int status;

    MPI_Init (&argc, &argv);
    status = run_command_line (argc, argv);
    MPI_Finalize ();
    return status;
}
