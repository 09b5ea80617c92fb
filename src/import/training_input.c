/* SPDX-License-Identifier: BSD-3-Clause */
/* training_input.c - an input.json of DeePMD-kit as the template of
 * deepmd.train
 */
#include "base/base.h"

#include "base/json.h"
#include "import/key_report.h"
#include "import/training_input.h"

static struct json *copy_of (const struct json *v, bool of_model);

/* Keys of DeePMD-kit 0.x and slips of published inputs, which DeePMD-kit 2 and
 * 3 refuse.
 */
static bool is_refused (const char *key)
{
    static const char *const keys[] = { "coord_norm", "sedd", "use_smooth",
                                        "restart", "load_ckpt" };

    for (size_t i = 0; i < ARRAY_SIZE (keys); i++) {
        if (strcmp (key, keys[i]) == 0)
            return true;
    }
    return false;
}

static void say_refused (const struct json *of, const char *prefix,
                         struct key_report *report)
{
    JSON_FOREACH (of, it) {
        _cleanup_free_ char *path =
            xasprintf ("%s%s", prefix, json_iter_key (it));
        _cleanup_free_ char *below = xasprintf ("%s.", path);

        if (is_refused (json_iter_key (it)))
            key_report_say (report, path, KEY_UNSUPPORTED,
                            "left out: DeePMD-kit 2 and 3 refuse it%s",
                            strcmp (json_iter_key (it), "sedd") == 0
                                ? "; seeds are set for each model"
                                : "");
        else if (json_kind (json_iter_value (it)) == JSON_KIND_OBJECT)
            say_refused (json_iter_value (it), below, report);
    }
}

static struct json *copy_object (const struct json *v, bool of_model)
{
    struct json *copy = json_object ();

    JSON_FOREACH (v, it) {
        const char *key = json_iter_key (it);

        if ((of_model && strcmp (key, "seed") == 0) || key[0] == '_'
            || is_refused (key))
            continue;
        json_set (copy, key,
                  copy_of (json_iter_value (it),
                           of_model || strcmp (key, "model") == 0));
    }
    return copy;
}

/* Without seeds of the model, without comments, and what is refused. */
static struct json *copy_of (const struct json *v, bool of_model)
{
    struct json *copy;

    if (json_kind (v) == JSON_KIND_OBJECT)
        return copy_object (v, of_model);
    if (json_kind (v) != JSON_KIND_ARRAY)
        return json_deep_copy (v);
    copy = json_array ();
    for (size_t i = 0; i < json_count (v); i++)
        json_push (copy, copy_of (json_at (v, i), of_model));
    return copy;
}

static void take_validation (struct json *training, struct json *held_out)
{
    struct json *validation = json_get (training, "validation_data");
    const struct json *systems = json_get (validation, "systems");

    if (!validation)
        return;
    if (held_out && json_kind (systems) == JSON_KIND_STRING)
        json_push (held_out, json_ref ((struct json *)systems));
    for (size_t i = 0; held_out && i < json_count (systems); i++)
        json_push (held_out, json_ref (json_at (systems, i)));
    if (json_count (systems) > 0 && json_kind (validation) == JSON_KIND_OBJECT)
        json_delete (validation, "systems");
    else
        json_delete (training, "validation_data");
}

/* Tells of 'key' below 'of', a section at 'path', if it is there. */
static void say_left_out (const struct json *of, const char *path,
                          const char *key, const char *why,
                          struct key_report *report)
{
    _cleanup_free_ char *whole = xasprintf ("%s%s", path, key);

    if (json_kind (of) == JSON_KIND_OBJECT && json_get (of, key))
        key_report_say (report, whole, KEY_UNSUPPORTED, "left out: %s", why);
}

void training_input_say (const struct json *given, const char *prefix,
                         struct key_report *report)
{
    static const char why[] = "the data sets grow with each iteration, and it "
                              "has a number for each; use auto_prob";
    const struct json *training = json_get (given, "training");
    const struct json *validation = json_get (training, "validation_data");
    const struct json *systems = json_get (validation, "systems");
    char *paths[] = { xasprintf ("%straining.", prefix),
                      xasprintf ("%straining.training_data.", prefix) };
    const struct json *of[] = { training,
                                json_get (training, "training_data") };

    say_refused (given, prefix, report);
    for (size_t i = 0; i < ARRAY_SIZE (of); i++) {
        say_left_out (of[i], paths[i], "sys_probs", why, report);
        say_left_out (of[i], paths[i], "sys_weights", why, report);
    }
    if (json_count (systems) == 0 && json_kind (systems) != JSON_KIND_STRING)
        say_left_out (training, paths[0], "validation_data",
                      "it names no systems", report);
    for (size_t i = 0; i < ARRAY_SIZE (paths); i++)
        free (paths[i]);
}

struct json *training_input_template (const struct json *given,
                                      struct json *held_out)
{
    static const char *const ours[] = { "systems",    "set_prefix", "seed",
                                        "disp_file",  "save_ckpt",  "sys_probs",
                                        "sys_weights" };
    struct json *input = copy_of (given, false);
    struct json *training = json_get (input, "training");
    struct json *model = json_get (input, "model");
    struct json *data = json_get (training, "training_data");

    if (json_kind (training) == JSON_KIND_OBJECT) {
        for (size_t i = 0; i < ARRAY_SIZE (ours); i++) {
            json_delete (training, ours[i]);
            if (json_kind (data) == JSON_KIND_OBJECT)
                json_delete (data, ours[i]);
        }
        take_validation (training, held_out);
    }
    if (json_kind (model) == JSON_KIND_OBJECT)
        json_delete (model, "type_map");
    return input;
}

void training_input_set_batch (struct json *input, struct json *size)
{
    struct json *training = json_get (input, "training");
    struct json *data = json_get (training, "training_data");
    const struct json *given = json_get (data ? data : training, "batch_size");

    if (json_kind (training) != JSON_KIND_OBJECT
        || (json_kind (given) == JSON_KIND_STRING
            && strncmp (json_as_string (given), "mixed:", 6) == 0)) {
        json_unref (size);
        return;
    }
    json_delete (training, "batch_size");
    if (json_kind (data) != JSON_KIND_OBJECT) {
        data = json_object ();
        json_set (training, "training_data", data);
    }
    json_set (data, "batch_size", size);
}
