/* SPDX-License-Identifier: BSD-3-Clause */
/* document.h - what campaign.yaml and site.yaml have in common */
#ifndef CAMPAIGN_DOCUMENT_H
#define CAMPAIGN_DOCUMENT_H

#include <stdbool.h>

struct field_reader;
struct yaml_node;

/* Check that 'root' is a mapping of 'keys' (NULL-terminated, "format" among
 * them) in a format we know.  'name' is what messages call it.  -1 when there
 * is no sense in reading on.
 */
int document_open (const struct field_reader *reader,
                   const struct yaml_node *root,
                   const char *name,
                   const char *const *keys);

/* May a campaign or a profile be called so?  [A-Za-z0-9][A-Za-z0-9_.-]*, at
 * most 64.
 */
bool document_name_ok (const char *name);

#endif /* !CAMPAIGN_DOCUMENT_H */
