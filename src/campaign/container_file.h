/* SPDX-License-Identifier: BSD-3-Clause */
/* container_file.h - `image:` of operators and stages, `container:` of profiles
 */
#ifndef CAMPAIGN_CONTAINER_FILE_H
#define CAMPAIGN_CONTAINER_FILE_H

struct yaml_node;

/* For a struct field: the image, a path seen from the campaign or NAME://...,
 * into a const char *.
 */
void image_read (const struct yaml_node *node, void *member);

/* For a struct field: the argv template, into the struct profile. */
void container_read (const struct yaml_node *node, void *profile);

#endif /* !CAMPAIGN_CONTAINER_FILE_H */
