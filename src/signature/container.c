/* SPDX-License-Identifier: BSD-3-Clause */
/* container.c - commands that run in an image */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "signature/container.h"
#include "signature/template.h"

const char *const container_placeholders[] = { "image", "dir", "campaign",
                                               "workspace", NULL };

/* The task's directory is below the campaign's.  Apptainer takes the directory
 * it is called in only where the image or the site does not say otherwise.
 */
const char *const container_default[] = {
    "apptainer",   "exec",  "--bind", "{campaign}", "--bind",
    "{workspace}", "--pwd", "{dir}",  "{image}",    NULL,
};

bool image_is_remote (const char *image)
{
    return strstr (image, "://") != NULL;
}

char *image_path (const char *image, const char *campaign_dir)
{
    if (!image || image_is_remote (image))
        return image ? xstrdup (image) : NULL;
    return path_join (campaign_dir, image);
}

static struct json *container_values (const struct container *c,
                                      const struct json *known)
{
    struct json *values = json_object ();

    json_set (values, "image", json_string (c->image));
    json_set (values, "dir", json_string (c->dir));
    struct json *caller = json_get (known, CALLER_PLACEHOLDER);

    json_set (values, "campaign",
              json_ref (caller ? caller : json_get (known, "campaign")));
    json_set (values, "workspace",
              json_string (c->workspace ? c->workspace : c->dir));
    return values;
}

int container_set (const struct container *container, struct json *values,
                   struct error *err)
{
    _cleanup_ (strvec_release) struct strvec argv = STRVEC_INIT;
    _cleanup_json_ struct json *own = NULL;
    int rc;

    if (!container->image)
        return 0;
    own = container_values (container, values);
    rc = template_expand_argv (container->argv, own, &argv, err);
    if (container->env && container->env[0]) {
        strvec_push (&argv, "env");
        strvec_push_all (&argv, (char *const *)container->env);
    }
    if (rc == 0)
        json_set (values, CONTAINER_PLACEHOLDER,
                  argv_to_json ((const char *const *)argv.v));
    else
        error_prefix (err, "container");
    return rc;
}

int container_expand (const char *const *command, const struct json *values,
                      struct strvec *argv, struct error *err)
{
    bool launched = strcmp (command[0], "{launcher}") == 0;
    const char *program = command[launched];
    _cleanup_ (strvec_release) struct strvec all = STRVEC_INIT;

    if (!json_get (values, CONTAINER_PLACEHOLDER) || !program
        || strcmp (program, "{fanfold}") == 0)
        return template_expand_argv (command, values, argv, err);
    if ((launched && template_expand (command[0], values, &all, err) < 0)
        || template_expand ("{" CONTAINER_PLACEHOLDER "}", values, &all, err)
               < 0
        || template_expand_argv (command + launched, values, &all, err) < 0)
        return -1;
    strvec_push_all (argv, all.v);
    return 0;
}
