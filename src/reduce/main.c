/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c - fanfold-reduce: select frames by how much a committee disagrees
 *
 * mpirun -n R fanfold-reduce task.json.  The result is the same bytes for any
 * R.  Only rank 0 prints.
 */
#include "base/base.h"

#include <mpi.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/harmless.h"
#include "base/process.h"
#include "reduce/exchange.h"
#include "reduce/passes.h"
#include "reduce/selection_input.h"
#include "reduce/result.h"
#include "selection/statistics/frame_stats.h"

enum { STATUS_OK = 0, STATUS_FAILED = 1, STATUS_USAGE = 2, STATUS_INVALID = 3 };

static const size_t task_bytes_max = (size_t)1 << 30;

static const char usage[] = "usage: fanfold-reduce [--timing] TASK.json\n"
                            "       fanfold-reduce --help | --version\n";

static const char help[] =
    "\n"
    "Read how much a committee disagrees on the frames of trajectories\n"
    "(model_devi.out, or the forces of every model), select the frames worth\n"
    "a label, and write them as extended XYZ with a JSON file of numbers.\n"
    "TASK.json says which and how; it is that of a task of model_devi.select.\n"
    "Under mpirun the ranks share the trajectories; the result is the\n"
    "same bytes for any number of ranks.\n"
    "\n"
    "Exit status: 0 done, 1 failed, 2 usage, 3 invalid task.\n";

/* Say it once, whoever else found the same. */
static int complain (int status, const struct error *err)
{
    if (exchange_rank () == 0)
        fprintf (stderr, "fanfold-reduce: %s\n", err->text);
    return status;
}

/* Rank 0 reads the task, so that all see the same. */
static int read_input (const char *path, struct selection_input *input,
                       struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = 0;

    if (exchange_rank () == 0)
        rc = file_read (path, task_bytes_max, &text, err);
    rc = exchange_rc (rc, err);
    if (rc == 0) {
        exchange_share_text (&text);
        rc = selection_input_parse (text.buf, text.len, path, input, err);
    }
    return rc;
}

/* When, by the clock, and after how much work of the processor. */
struct moment {
    double wall_s;
    double cpu_s;
};

static struct moment now (void)
{
    struct timespec cpu;

    clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &cpu);
    return (struct moment){ MPI_Wtime (),
                            (double)cpu.tv_sec + 1e-9 * (double)cpu.tv_nsec };
}

static int status_of (const struct error *err, bool invalid)
{
    return invalid && !error_is_machine_error (err) ? STATUS_INVALID
                                                    : STATUS_FAILED;
}

/* All ranks have read everything by *selected.  The exit status. */
static int reduce (const struct selection_input *input, struct moment *selected,
                   struct error *err)
{
    _cleanup_ (selection_release) struct selection selection = SELECTION_INIT;
    struct frame_stats stats;
    int rc;

    frame_stats_init (&stats, &input->rules);
    rc = select_frames (input, &stats, &selection, err);
    *selected = now ();
    if (rc == 0) {
        if (exchange_rank () == 0)
            rc = result_write (input, &stats, &selection, err);
        if (rc < 0 && input->lists_dir)
            file_remove_tree (input->lists_dir, NULL, NULL);
        rc = exchange_rc (rc, err);
    }
    frame_stats_release (&stats);
    return rc < 0 ? status_of (err, selection.input_failed) : STATUS_OK;
}

/* What it took, for scripts/bench: without starting up.  What is written is as
 * much as was asked for, however much was read, and is safe on the disk.
 */
static void print_times (struct moment start, struct moment read,
                         struct moment selected)
{
    struct moment end;

    MPI_Barrier (MPI_COMM_WORLD);
    end = now ();
    if (exchange_rank () == 0)
        fprintf (stderr,
                 "read_s %.6f\nselect_s %.6f\nresult_s %.6f\ncpu_s %.6f\n",
                 read.wall_s - start.wall_s, selected.wall_s - read.wall_s,
                 end.wall_s - selected.wall_s, selected.cpu_s - start.cpu_s);
}

static int run (const char *path, bool timing)
{
    struct moment start = now (), read, selected = { 0 };
    _cleanup_ (selection_input_release) struct selection_input input =
        SELECTION_INPUT_INIT;
    struct error err = ERROR_INIT;
    int status = STATUS_OK;

    if (read_input (path, &input, &err) < 0)
        status = complain (status_of (&err, true), &err);
    read = now ();
    if (status == STATUS_OK
        && (status = reduce (&input, &selected, &err)) != STATUS_OK)
        complain (status, &err);
    if (status == STATUS_OK && timing)
        print_times (start, read, selected);
    return status;
}

static int run_command_line (int argc, char **argv)
{
    bool first = exchange_rank () == 0, timing;

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
    timing = argc == 3 && strcmp (argv[1], "--timing") == 0;
    if ((argc != 2 && !timing) || argv[argc - 1][0] == '-') {
        if (first)
            fputs (usage, stderr);
        return STATUS_USAGE;
    }
    return run (argv[argc - 1], timing);
}

int main (int argc, char **argv)
{
    int status;

    if (process_open_standard () < 0)
        return STATUS_FAILED;
    harmless_stream (&stdout, STDOUT_FILENO, true);
    harmless_stream (&stderr, STDERR_FILENO, true);
    MPI_Init (&argc, &argv);
    status = run_command_line (argc, argv);
    MPI_Finalize ();
    return status;
}

/* Open MPI leaves memory behind in plugins that it unloads, so that nothing can
 * tell it from ours: a sanitizer build does not search for leaks.  What
 * fanfold-reduce is made of is searched by the unit tests.
 */
int __lsan_is_turned_off (void);

int __lsan_is_turned_off (void)
{
    return 1;
}
