/* SPDX-License-Identifier: BSD-3-Clause */
/* container.h - commands that run in an image
 *
 * `container:` of a profile is an argv template that stands before each command
 * of a task that has an image.  It knows
 *   {image}      the image, a local one with its full path
 *   {dir}        the directory the command runs in
 *   {campaign}   the campaign's directory, of which {dir} is a part
 *   {workspace}  that of a group's node; elsewhere {dir}
 * and must make these directories seen at the same paths.  What starts several
 * ranks stands before it, and the environment is that of the command: of what
 * the operator's `env:` says it is told once more within, by env(1), since
 * images set variables, too.
 */
#ifndef SIGNATURE_CONTAINER_H
#define SIGNATURE_CONTAINER_H

/* What the expanded argv is called among the values of argv templates. */
#define CONTAINER_PLACEHOLDER "CONTAINER"

/* What the caller's directory is called among them, in a call of a function:
 * {campaign} of a container, and $campaign of a script, are that.
 */
#define CALLER_PLACEHOLDER "CALLER"

extern const char *const container_placeholders[];

/* What a profile has that says nothing: Apptainer. */
extern const char *const container_default[];

/* Is the image one of a registry, "docker://...", and no file or directory? */
bool image_is_remote (const char *image);

/* The image with its full path, where it is a local one; NULL of NULL.  Caller
 * frees.
 */
char *image_path (const char *image, const char *campaign_dir);

struct container {
    const char *const *argv; /* template */
    const char *image;       /* a local one absolute; NULL: none */
    const char *const *env;  /* "NAME=VALUE" of the operator; NULL: none */
    const char *dir;
    const char *workspace; /* NULL: as 'dir' */
};

/* Expand it and set it among 'values' of argv templates, which have
 * {campaign}; without an image nothing is set.
 */
int container_set (const struct container *container, struct json *values,
                   struct error *err);

/* Append 'command', an argv template, expanded; where 'values' have a container
 * that stands before it, but behind a {launcher}, with which it begins.  Not
 * before {fanfold}, which images lack, and which starts what belongs into one
 * in it.
 */
int container_expand (const char *const *command, const struct json *values,
                      struct strvec *argv, struct error *err);

#endif /* !SIGNATURE_CONTAINER_H */
