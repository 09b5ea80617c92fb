/* SPDX-License-Identifier: BSD-3-Clause */
/* program_words.h - a command line of a machine file taken apart
 *
 * DP-GEN hands "source env.sh && mpirun -n 16 vasp_std > log" to a shell.
 * Fanfold takes the program, what starts its ranks, and what is to be done
 * before, as lists of words.
 */
#ifndef IMPORT_PROGRAM_WORDS_H
#define IMPORT_PROGRAM_WORDS_H

struct program_words {
    struct json *setup;     /* [[word, ...], ...]: commands before it */
    struct strvec launcher; /* mpirun and its options, without the number */
    int64_t ranks;          /* 1 without a launcher; 0: the launcher is told no
                               number and takes all that the job has */
    int64_t ranks_per_node; /* 0: nothing is said of it */
    struct strvec program;
    struct json *env; /* {NAME: value} that stood before it */
    bool redirected;  /* < or > was left out */
    bool fallback;    /* "|| :" was left out */
};

/* Take 'command' apart.  -1 with 'err' where it has what only a shell can do
 * ($( ), pipes, loops) or a quote that does not end.  Release in any case.
 */
int program_words_parse (const char *command, struct program_words *out,
                         struct error *err);
void program_words_release (struct program_words *words);

/* The argv of LAMMPS without the arguments that lammps.explore gives itself:
 * its input, and the variable `restart` of DP-GEN's.  Caller unrefs.
 */
struct json *lammps_arguments (const struct json *program);

#endif /* !IMPORT_PROGRAM_WORDS_H */
