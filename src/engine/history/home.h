/* SPDX-License-Identifier: BSD-3-Clause */
/* home.h - is this the directory in which the campaign was begun?
 *
 * The event `campaign` has the directory's resolved path and its inode with
 * the device, `adopted` those of a later one.  A path alone that differs is
 * another name of a mount, or a directory that was renamed; a device or inode
 * alone, a restore. Where both differ the directory was copied, or moved to
 * another file system, and only a person knows which: jobs that the journal
 * names are those of the directory that they were submitted from.
 */
#ifndef ENGINE_HOME_H
#define ENGINE_HOME_H

struct engine;

/* Set "path" and "inode" of the engine's directory. */
void home_write (const struct engine *engine, struct json *event);

/* Do path and inode differ from those in the journal? */
bool home_is_elsewhere (const struct engine *engine);

/* -1 with 'err', which says where it was begun and how it goes on here. */
int home_refuse (const struct engine *engine, struct error *err);

/* Are there, elsewhere, jobs of which it is not known whose they are?  -1 with
 * 'err'.
 */
int home_check (const struct engine *engine, struct error *err);

/* Jobs that another user submitted can only be asked for and ended by them: -1
 * with 'err' where the journal has such.
 */
int home_check_user (const struct engine *engine, struct error *err);

/* Holding the lease, record where the campaign is now. */
int home_settle (struct engine *engine, bool copy, struct error *err);

/* Go on here with a campaign that was begun elsewhere: take the lease whoever
 * had it there, and record where it is now.  With 'copy' what was submitted is
 * left to the original.  0; 1 where nothing has to be adopted; -1, also where
 * the original is still in its place and 'copy' is false.  The caller gives the
 * lease back.
 */
int home_adopt (struct engine *engine, bool copy, struct error *err);

#endif /* !ENGINE_HOME_H */
