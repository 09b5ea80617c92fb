/* SPDX-License-Identifier: BSD-3-Clause */
/* config_changes.h - what differs between two configurations (pure) */
#ifndef CAMPAIGN_CONFIG_CHANGES_H
#define CAMPAIGN_CONFIG_CHANGES_H

/* From a config.json to another (struct plan's `config`): a list of {"key":
 * "stages.label.with.input", "old": TEXT, "new": TEXT}, in the order of the old
 * one and then of what is new; no "old" where there was nothing, no "new" where
 * nothing is any more.  Keys of site.yaml begin with "profiles.",
 * or are "store" or "reuse_from".  Texts are
 * compact JSON, cut after 200 bytes; what is beyond 64 changes is {"more": N}.
 * NULL is an empty one.  Caller unrefs.
 */
struct json *config_changes (const struct json *before,
                             const struct json *after);

/* One of them: "stages.label.with.input null -> 5"; what is not there is
 * "(not set)".  Where a text has more than 'most' bytes only the key, and
 * whether it is new, gone or changed.
 */
void config_change_text (const struct json *change, size_t most,
                         struct strbuf *out);

#endif /* !CAMPAIGN_CONFIG_CHANGES_H */
