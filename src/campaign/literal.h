/* SPDX-License-Identifier: BSD-3-Clause */
/* literal.h - a value as a person writes it in campaign.yaml -> JSON
 *
 * "10m" where a duration is wanted becomes 600.0, "1GiB" becomes bytes; a
 * plain 3 where text is wanted is text.
 */
#ifndef CAMPAIGN_LITERAL_H
#define CAMPAIGN_LITERAL_H

struct json;
struct type;
struct yaml_node;

/* The literal 'node' of type 'type'; NULL after recording everything that is
 * wrong, at the node it is wrong with.  'name' is what messages call it
 * ("input 'ridge' of stage 'train'").  'flags' are value_check's: with
 * VALUE_ON_DISK paths are looked at, relative to the campaign directory.
 * Caller unrefs.
 */
struct json *literal_read (const struct yaml_node *node,
                           const struct type *type,
                           int flags,
                           const char *name);

#endif /* !CAMPAIGN_LITERAL_H */
