/* SPDX-License-Identifier: BSD-3-Clause */
/* frames_check.h - are the frames that a campaign names what it needs? */
#ifndef CAMPAIGN_FRAMES_CHECK_H
#define CAMPAIGN_FRAMES_CHECK_H

struct plan;
struct yaml_node;

/* Read the file of frames that the scalar 'node' names, which is there, as far
 * as the reader's `atoms` says, and record what is wrong with it: no extended
 * XYZ, no frame, an element that the campaign does not have, and, if they are
 * to be 'labelled', no energy or forces, or such that are no number.  'name' is
 * what messages call it.  Sets has[i] (NULL: not of interest) for every element
 * of the campaign that a frame has.  False when it was not read to its end, or
 * has none.
 */
bool frames_check (const struct yaml_node *node, const char *name,
                   bool labelled, const struct plan *plan, bool *has);

/* The files under the lists `initial:` and `held_out:` of the mapping 'data',
 * which are training data.  A warning tells the elements that initial data do
 * not have: 'elements' is where they stand.  'periodic' is an operator that
 * labels cells that repeat, NULL: there is none.
 */
void frames_check_data (const struct yaml_node *data,
                        const struct yaml_node *elements, const char *periodic,
                        const struct plan *plan);

#endif /* !CAMPAIGN_FRAMES_CHECK_H */
