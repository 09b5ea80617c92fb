/* SPDX-License-Identifier: BSD-3-Clause */
/* campaign_file.h - what campaign.yaml says of the campaign as a whole */
#ifndef CAMPAIGN_CAMPAIGN_FILE_H
#define CAMPAIGN_CAMPAIGN_FILE_H

struct field_reader;
struct plan;
struct yaml_node;

/* Read name, elements, seed, models and data of the document 'root' into
 * 'plan' and check the document's keys.  -1 when there is no sense in reading
 * on.
 */
int campaign_file_read (const struct field_reader *reader,
                        const struct yaml_node *root,
                        struct plan *plan);

/* Read `stop:` and `history:`, whose expressions speak of plan->stages. */
void campaign_file_read_ends (const struct field_reader *reader,
                              const struct yaml_node *root,
                              struct plan *plan);

#endif /* !CAMPAIGN_CAMPAIGN_FILE_H */
