/* SPDX-License-Identifier: BSD-3-Clause */
/* tree_links.h - a tree is whole: no link in it leads out of it */
#ifndef QUICK_TREE_LINKS_H
#define QUICK_TREE_LINKS_H

struct heartbeat;

/* Of the link whose path in the tree has these parts, all but the last
 * directories that are no links: might 'target' lead out?  So does what is
 * absolute, and what has .. elsewhere than in front, where it may follow a
 * link.
 */
bool tree_link_leads_out (const struct strvec *parts, const char *target);

/* Refuse the first link below 'path' that leads out, and pipes, sockets and
 * devices.
 */
int tree_check_links (const char *path, const struct heartbeat *heartbeat,
                      struct error *err);

#endif /* !QUICK_TREE_LINKS_H */
