/* SPDX-License-Identifier: BSD-3-Clause */
/* generation.h - one preparation of a stage in an iteration, as a directory
 *
 * A generation is made in .fanfold/making/<number>, appears whole at its place
 * by one rename, and is superseded by one rename to .fanfold/replaced/<number>.
 * Its number, which stage.json tells, is given once and never again; so whoever
 * goes on late, after another driver took over, finds the source of its rename
 * gone or the target taken; and what is put into a generation goes to the
 * directory that was opened and found to have its number.
 */
#ifndef ENGINE_GENERATION_H
#define ENGINE_GENERATION_H

struct engine;
struct stage_place;

/* The number of the generation that lies in 'dir' (relative to the campaign);
 * 0: nothing is there.  What is no generation is an error that says so.
 */
int generation_at (const struct engine *engine, const char *dir, int *number,
                   struct error *err);

/* Absolute, of a superseded one.  Caller frees. */
char *generation_replaced_dir (const struct engine *engine, int number);

/* Make the empty directory in which number 'number' is put together, after
 * those of lower numbers, whose drivers were killed or replaced, have been
 * removed.  Caller frees; NULL with 'err'.
 */
char *generation_begin (struct engine *engine, int number, struct error *err);

/* Sync what is in 'making', and let it appear at 'dir'. */
int generation_appear (struct engine *engine, const char *making,
                       const char *dir, struct error *err);

/* Move the generation 'number' from 'dir' to its place among the superseded
 * ones; done again after a crash it changes nothing.
 */
int generation_supersede (struct engine *engine, const char *dir, int number,
                          struct error *err);

/* Put the file or directory 'from' (absolute, on the disk) into the generation
 * of 'place', as 'name', instead of what has that name there.  Where another
 * generation lies there by then nothing changes, and it is an error.
 */
int generation_put (const struct engine *engine,
                    const struct stage_place *place, const char *from,
                    const char *name, struct error *err);

/* The same of a text, as a read-only file. */
int generation_write (const struct engine *engine,
                      const struct stage_place *place, const char *name,
                      const struct strbuf *text, struct error *err);

/* Move 'path' (relative) to 'to' (absolute); something is at 'to' then in any
 * case.  Done again it changes nothing.
 */
int move_aside (struct engine *engine, const char *path, const char *to,
                struct error *err);

#endif /* !ENGINE_GENERATION_H */
