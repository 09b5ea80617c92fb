/* SPDX-License-Identifier: BSD-3-Clause */
/* git_tree.h - a directory as a commit of git has it
 *
 * git is run as a program; the work tree is only looked at, but for
 * git_tree_commit.
 */
#ifndef QUICK_GIT_TREE_H
#define QUICK_GIT_TREE_H

/* Is the directory part of a git work tree, and not ignored there?  1; 0; -1
 * with 'err': it looks like one, and git is not there or refuses.
 */
int git_tree_is (const char *dir, struct error *err);

/* What differs in and below the directory from the commit that is checked out,
 * as `git status --porcelain` says it, one a line; nothing: it is the same.
 */
int git_tree_changes (const char *dir, struct strbuf *changes,
                      struct error *err);

/* Commit all that differs in and below the directory, and nothing else. */
int git_tree_commit (const char *dir, const char *message, struct error *err);

/* The commit that 'ref' names (NULL: the one checked out), 40 digits or more.
 * -1 with 'err': there is none.
 */
int git_tree_resolve (const char *dir, const char *ref, struct strbuf *commit,
                      struct error *err);

/* Make the directory 'to', which must not be there, of the directory 'dir' as
 * it is in that commit.  'to'.tar is written meanwhile.
 */
int git_tree_export (const char *dir, const char *commit, const char *to,
                     struct error *err);

#endif /* !QUICK_GIT_TREE_H */
