/* SPDX-License-Identifier: BSD-3-Clause */
/* dataset_files.h - the published training data of a campaign, as its journal
 * knows them
 */
#ifndef COMMANDS_DATASET_FILES_H
#define COMMANDS_DATASET_FILES_H

struct campaign;

/* Which iterations. */
struct dataset_range {
    int first, last;
};

/* "3" or "2-5"; false after complaining. */
bool dataset_range_read (const char *text, struct dataset_range *range);

/* The file with those of an iteration in the form in which they are taken up;
 * NULL: there are none.  Caller frees.
 */
char *dataset_file (const struct campaign *campaign, int iteration);

/* Are they what the journal knows, neither less nor something else?  What was
 * read before that answer is then what was published.  -1 with 'err'.
 */
int dataset_check (const struct campaign *campaign, int iteration,
                   struct error *err);

/* Of an iteration without such a file: true after a warning that names a stage
 * which is done in it and publishes now, as one does whose operator says so
 * since.  A redo of the first such iteration publishes what follows, too.
 */
bool dataset_warn_unpublished (const struct campaign *campaign, int iteration);

/* After that said no for the n-th time, from 0: false; or wait a little, read
 * the journal on, and true, while a driver may be about to record what it has
 * published.
 */
bool dataset_look_again (struct campaign *campaign, int n);

#endif /* !COMMANDS_DATASET_FILES_H */
