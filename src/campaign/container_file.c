/* SPDX-License-Identifier: BSD-3-Clause */
/* container_file.c - `image:` of operators and stages, `container:` of profiles
 */
#include "base/base.h"

#include "campaign/container_file.h"
#include "campaign/field_reader.h"
#include "campaign/launcher.h"
#include "campaign/plan.h"
#include "signature/container.h"
#include "signature/template.h"

void image_read (const struct yaml_node *node, void *member)
{
    const char *image;

    if (field_text (node, &image) < 0)
        return;
    if (strchr (image, '{') || image[0] == '~' || image[0] == '$')
        field_problem (node,
                       "image: '%s' is taken as it stands; write a path below "
                       "the campaign's directory, a full path, or docker://...",
                       image);
    else
        *(const char **)member = image;
}

void container_read (const struct yaml_node *node, void *profile)
{
    struct profile *into = profile;
    const char *const *argv = NULL;
    size_t before = field_problems (node);
    bool names = false;

    argv_template_read (node, container_placeholders, &argv);
    for (const char *const *word = argv; word && *word; word++)
        names = names || strstr (*word, "{image}");
    if (field_problems (node) > before)
        return;
    if (!names)
        field_problem (node,
                       "container: names no image; write \"{image}\" where %s "
                       "takes it",
                       argv[0]);
    else
        into->container = argv;
}
