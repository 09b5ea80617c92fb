/* SPDX-License-Identifier: BSD-3-Clause */
/* batch_flags.h - "#SBATCH -t 12:00:00" as keys of a profile */
#ifndef IMPORT_BATCH_FLAGS_H
#define IMPORT_BATCH_FLAGS_H

struct key_report;

struct batch_flags {
    char *walltime; /* as Fanfold writes it: "12h"; NULL: none */
    char *queue, *account, *qos, *gres;
    int64_t memory_bytes; /* 0: none */
    int64_t gpus;
    struct json *directives; /* [text]: flags that have no key */
};

void batch_flags_init (struct batch_flags *flags);
void batch_flags_release (struct batch_flags *flags);

/* Take in one line of flags; 'report' is told what became of it, as 'path'. */
void batch_flags_add (struct batch_flags *flags, const char *scheduler,
                      const char *line, const char *path,
                      struct key_report *report);

/* A walltime as Slurm has it: minutes, or parts with colons.  false: it is none
 * ("UNLIMITED"), and nothing was set.
 */
bool batch_flags_time (struct batch_flags *flags, const char *text);

#endif /* !IMPORT_BATCH_FLAGS_H */
