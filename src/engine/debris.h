/* SPDX-License-Identifier: BSD-3-Clause */
/* debris.h - unfinished files of drivers that were killed */
#ifndef ENGINE_DEBRIS_H
#define ENGINE_DEBRIS_H

struct engine;

/* Remove what is certain to be nobody's: with the lease held and the journal
 * folded.  What cannot be removed stays.
 */
void debris_remove (const struct engine *engine);

#endif /* !ENGINE_DEBRIS_H */
