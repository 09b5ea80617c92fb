/* SPDX-License-Identifier: BSD-3-Clause */
/* output_tree.h - the files that a task left, before any of them is opened
 *
 * They were written by a program we know nothing about and are about to be
 * kept.
 */
#ifndef SIGNATURE_OUTPUT_TREE_H
#define SIGNATURE_OUTPUT_TREE_H

struct heartbeat;
struct port;

/* Move what the outputs in 'ports' are to take from their names in DIR to their
 * names below DIR/out.  What is not there is passed over: outputs_check tells
 * whether it had to be.  -1 with 'err' naming the output: a link on the way
 * (which may lead to another user's file), or both names are there.
 */
int output_tree_take (const struct port *ports, const char *dir,
                      struct error *err);

/* Refuse below OUT_DIR: links that leave it, special files, and what is no
 * declared output of 'ports' ("did you mean").  An absent OUT_DIR is good.
 */
int output_tree_check (const struct port *ports, const char *out_dir,
                       const struct heartbeat *heartbeat, struct error *err);

/* The same where files need not be declared. */
int output_tree_check_links (const char *out_dir, struct error *err);

#endif /* !SIGNATURE_OUTPUT_TREE_H */
