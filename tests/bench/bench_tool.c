/* SPDX-License-Identifier: BSD-3-Clause */
/* bench_tool.c - what scripts/bench needs that a shell is too slow for
 *
 *   bench_tool deviations FILE ROWS ATOMS   a model_devi.out; ATOMS columns of
 *                                           atoms
 *   bench_tool dump FILE ATOMS FRAMES MODEL positions (MODEL -1), or forces, as
 *                                           LAMMPS prints them (%g)
 *   bench_tool npy FILE ATOMS FRAMES MODEL  the same as float64
 *   bench_tool read FILE...                 open, read, close; file names on
 *                                           stdin without FILE
 *   bench_tool run COMMAND...               prints seconds and KiB it took
 *
 * Numbers are pseudo-random and the same every time.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t state = 88172645463325252;

static double uniform (void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) * 0x1p-53;
}

static FILE *create (const char *path)
{
    FILE *file = fopen (path, "w");

    if (!file) {
        perror (path);
        exit (1);
    }
    return file;
}

static int make_deviations (char **argv)
{
    FILE *file = create (argv[0]);
    long rows = atol (argv[1]), atoms = atol (argv[2]);

    state += (uint64_t)rows * 7919 + strlen (argv[0]);
    fprintf (file, "#%11s", "step");
    for (int i = 0; i < 6; i++)
        fprintf (file, "%9s%s_devi_%c", "",
                 i % 3 == 0   ? "max"
                 : i % 3 == 1 ? "min"
                              : "avg",
                 i < 3 ? 'v' : 'f');
    fprintf (file, atoms > 0 ? "%19s\n" : "\n", "atm_devi_f(N)");
    for (long row = 0; row < rows; row++) {
        long columns = 6 + atoms;

        fprintf (file, "%12ld", 10 * row);
        for (long i = 0; i < columns; i++) /* of six the minima are small */
            fprintf (file, " %18.6e",
                     (i % 3 == 1 && i < 6 ? 0 : 0.001)
                         + (i % 3 == 1 && i < 6 ? 0.001 : 0.5) * uniform ());
        fputc ('\n', file);
    }
    return fclose (file);
}

/* Every member's forces are the first's and a little more. */
static double component (long frame, long atom, int axis, int model)
{
    uint64_t x = (uint64_t)frame * 1000003 + (uint64_t)atom * 7919
                 + (uint64_t)axis * 104729 + 1;
    double value;

    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15;
    value = (double)(x >> 40) * 0x1p-22 - 2;
    if (model > 0)
        value +=
            0.3
            * ((double)((x * (uint64_t)(2 * model + 1)) >> 44) * 0x1p-20 - 0.5);
    return value;
}

static int make_dump (char **argv)
{
    FILE *file = create (argv[0]);
    long atoms = atol (argv[1]), frames = atol (argv[2]);
    int model = atoi (argv[3]);

    for (long frame = 0; frame < frames; frame++) {
        fprintf (file,
                 "ITEM: TIMESTEP\n%ld\nITEM: NUMBER OF ATOMS\n%ld\n"
                 "ITEM: BOX BOUNDS pp pp pp\n0 20\n0 20\n0 20\n"
                 "ITEM: ATOMS id type %s\n",
                 frame * 10, atoms, model < 0 ? "x y z" : "fx fy fz");
        for (long atom = 0; atom < atoms; atom++)
            fprintf (file, "%ld 1 %g %g %g\n", atom + 1,
                     component (frame, atom, 0, model),
                     component (frame, atom, 1, model),
                     component (frame, atom, 2, model));
    }
    return fclose (file);
}

static int make_npy (char **argv)
{
    FILE *file = create (argv[0]);
    long atoms = atol (argv[1]), frames = atol (argv[2]);
    int model = atoi (argv[3]);
    char header[119];
    int len;

    len = snprintf (header, sizeof (header),
                    "{'descr': '<f8', 'fortran_order': False, 'shape': "
                    "(%ld, %ld), }",
                    frames, 3 * atoms);
    memset (header + len, ' ', sizeof (header) - (size_t)len);
    header[117] = '\n';
    fwrite ("\x93NUMPY\x01\x00\x76\x00", 1, 10, file);
    fwrite (header, 1, 118, file);
    for (long frame = 0; frame < frames; frame++) {
        for (long i = 0; i < 3 * atoms; i++) {
            double value = component (frame, i / 3, (int)(i % 3), model);

            fwrite (&value, sizeof (value), 1, file);
        }
    }
    return fclose (file);
}

static void put (FILE *file, const void *bytes, size_t n)
{
    fwrite (bytes, 1, n, file);
}

static void put_32 (FILE *file, int32_t value)
{
    put (file, &value, sizeof (value));
}

static void put_64 (FILE *file, int64_t value)
{
    put (file, &value, sizeof (value));
}

/* As `dump custom` of LAMMPS writes a file called *.bin. */
static int make_binary (char **argv)
{
    FILE *file = create (argv[0]);
    long atoms = atol (argv[1]), frames = atol (argv[2]);
    int model = atoi (argv[3]);
    const char *names = model < 0 ? "id type x y z" : "id type fx fy fz";
    const double box[] = { 0, 20, 0, 20, 0, 20 };

    for (long frame = 0; frame < frames; frame++) {
        put_64 (file, -10);
        put (file, "DUMPCUSTOM", 10);
        put_32 (file, 1);
        put_32 (file, 2);
        put_64 (file, 10 * frame);
        put_64 (file, atoms);
        for (int i = 0; i < 7; i++)
            put_32 (file, 0);
        put (file, box, sizeof (box));
        put_32 (file, 5);
        put_32 (file, 0); /* no units, no time */
        put (file, "", 1);
        put_32 (file, (int32_t)strlen (names));
        put (file, names, strlen (names));
        put_32 (file, 1);
        put_32 (file, (int32_t)(5 * atoms));
        for (long atom = 0; atom < atoms; atom++) {
            const double row[] = { (double)(atom + 1), 1,
                                   component (frame, atom, 0, model),
                                   component (frame, atom, 1, model),
                                   component (frame, atom, 2, model) };

            put (file, row, sizeof (row));
        }
    }
    return fclose (file);
}

static char block[256 * 1024];

static int read_file (const char *path)
{
    int fd = open (path, O_RDONLY);
    ssize_t n;

    if (fd < 0) {
        perror (path);
        return 1;
    }
    do
        n = read (fd, block, sizeof (block));
    while (n > 0);
    close (fd);
    return n < 0;
}

static int read_files (char **argv)
{
    char path[4096];
    int failed = 0;

    for (char **file = argv; *file; file++)
        failed |= read_file (*file);
    while (!argv[0] && fgets (path, sizeof (path), stdin)) {
        path[strcspn (path, "\n")] = '\0';
        failed |= read_file (path);
    }
    return failed;
}

static double seconds (struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static int run (char **argv)
{
    struct timespec start, end;
    struct rusage usage;
    int status;
    pid_t pid;

    clock_gettime (CLOCK_MONOTONIC, &start);
    pid = fork ();
    if (pid == 0) {
        dup2 (STDERR_FILENO, STDOUT_FILENO);
        execvp (argv[0], argv);
        perror (argv[0]);
        _exit (127);
    }
    wait4 (pid, &status, 0, &usage);
    clock_gettime (CLOCK_MONOTONIC, &end);
    printf ("%.6f %ld %.6f\n",
            (double)(end.tv_sec - start.tv_sec)
                + 1e-9 * (double)(end.tv_nsec - start.tv_nsec),
            usage.ru_maxrss,
            seconds (usage.ru_utime) + seconds (usage.ru_stime));
    return !WIFEXITED (status) || WEXITSTATUS (status) != 0;
}

int main (int argc, char **argv)
{
    static const struct {
        const char *name;
        int arguments; /* at least */
        int (*run) (char **argv);
    } commands[] = {
        { "deviations", 3, make_deviations },
        { "dump", 4, make_dump },
        { "npy", 4, make_npy },
        { "binary", 4, make_binary },
        { "read", 0, read_files },
        { "run", 1, run },
    };

    for (size_t i = 0; i < sizeof (commands) / sizeof (commands[0]); i++) {
        if (argc >= 2 + commands[i].arguments
            && strcmp (argv[1], commands[i].name) == 0)
            return commands[i].run (argv + 2);
    }
    fprintf (stderr,
             "usage: bench_tool deviations|dump|npy|binary|read|run ...\n");
    return 2;
}
