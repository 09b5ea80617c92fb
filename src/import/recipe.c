/* SPDX-License-Identifier: BSD-3-Clause */
/* recipe.c - a campaign that trains, explores, selects and labels */
#include "base/base.h"

#include "base/json.h"
#include "import/document.h"
#include "import/recipe.h"

void recipe_release (struct recipe *recipe)
{
    for (size_t i = 0; i < IMPORT_STAGES; i++)
        stage_machine_release (&recipe->stages[i]);
}

void recipe_set (struct recipe *recipe, const char *path, struct json *v,
                 const char *note)
{
    _cleanup_free_ char *whole = xasprintf ("stages.%s", path);

    outline_set (&recipe->draft->campaign, whole, v, note ? "%s" : NULL, note);
}

void recipe_set_inputs (struct recipe *recipe, const char *stage,
                        const struct json *inputs, const struct json *notes)
{
    JSON_FOREACH (inputs, it) {
        _cleanup_free_ char *path =
            xasprintf ("%s.with.%s", stage, json_iter_key (it));

        recipe_set (recipe, path, json_ref (json_iter_value (it)), NULL);
    }
    JSON_FOREACH (notes, it) {
        _cleanup_free_ char *path =
            xasprintf ("stages.%s.with.%s", stage, json_iter_key (it));

        outline_note (&recipe->draft->campaign, path, "%s",
                      json_as_string (json_iter_value (it)));
    }
}

/* --- the head --- */

static int read_elements (struct recipe *recipe, const struct section *s,
                          struct error *err)
{
    static const char key[] = "type_map";
    int rc = key_list (s, key, &recipe->elements, err);

    if (rc > 0)
        rc = key_missing (s, key, err);
    for (size_t i = 0; rc == 0 && i < json_count (recipe->elements); i++) {
        const char *symbol;

        rc = value_text (json_at (recipe->elements, i), key, &symbol, err);
    }
    if (rc == 0 && json_count (recipe->elements) == 0)
        rc = error_set (err, "%s%s: the list is empty", s->prefix, key);
    return rc;
}

int recipe_add_head (struct recipe *recipe, const char *name,
                     const char *name_key, const struct section *elements_of,
                     const struct section *models_of, struct error *err)
{
    struct outline *campaign = &recipe->draft->campaign;
    _cleanup_free_ char *elements_key = section_path (elements_of, "type_map");
    _cleanup_free_ char *models_key = section_path (models_of, "numb_models");
    int64_t models = 4;
    int given = key_int (models_of, "numb_models", &models, err);
    int rc = given < 0 ? -1 : read_elements (recipe, elements_of, err);

    if (rc == 0) {
        outline_set (&recipe->draft->site, "format", json_int (1), NULL);
        outline_set (campaign, "format", json_int (1), NULL);
        outline_set (campaign, "campaign", json_string (name),
                     name_key ? "%s" : NULL, name_key);
        outline_set (campaign, "elements", json_ref (recipe->elements), "%s",
                     elements_key);
        outline_set (campaign, "models", json_int (models),
                     given == 0 ? "%s" : NULL, models_key);
        outline_set (campaign, "data", json_object (), NULL);
        outline_set (campaign, "stages", json_object (), NULL);
    }
    return rc;
}

/* --- stages --- */

static const char *const names[IMPORT_STAGES] = {
    [IMPORT_TRAIN] = "train",
    [IMPORT_EXPLORE] = "explore",
    [IMPORT_LABEL] = "label",
};

void recipe_add_stage (struct recipe *recipe, enum import_stage stage,
                       const char *uses, const char *uses_key,
                       const char *task_key)
{
    const struct stage_machine *machine = &recipe->stages[stage];
    struct json *keys = json_object ();
    _cleanup_free_ char *task = xasprintf ("%s.task", names[stage]);

    recipe_set (recipe, names[stage], keys, NULL);
    json_set (keys, "uses", json_string (uses));
    json_set (keys, "profile", json_string (machine->profile));
    recipe_set (recipe, task, json_ref (machine->task), task_key);
    if (uses_key)
        outline_note (&recipe->draft->campaign, "stages.label.uses", "%s",
                      uses_key);
}

void recipe_add_select (struct recipe *recipe, const struct json *inputs,
                        const char *host_note, const char *levels_note,
                        const char *pick_note)
{
    struct draft *draft = recipe->draft;

    outline_set (&draft->site, "profiles.here.scheduler", json_string ("local"),
                 "%s", host_note);
    recipe_set (recipe, "select.uses", json_string ("model_devi.select"), NULL);
    recipe_set (recipe, "select.profile", json_string ("here"), NULL);
    outline_note (&draft->campaign, "stages.select.with.levels", "%s",
                  levels_note);
    outline_note (&draft->campaign, "stages.select.with.pick", "%s", pick_note);
    recipe_set_inputs (recipe, "select", inputs, NULL);
}

void recipe_add_program (struct recipe *recipe, const char *port,
                         struct json *words, const char *key)
{
    if (json_count (words) > 0)
        recipe_set (recipe, port, json_ref (words), key);
    json_unref (words);
}

/* --- files --- */

/* [absolute path] of a list of paths, or of one.  NULL with 'err'. */
static struct json *absolute_paths (struct recipe *recipe,
                                    const struct json *given, const char *name,
                                    const char *below, struct error *err)
{
    bool alone = json_kind (given) == JSON_KIND_STRING;
    size_t n = alone ? 1 : json_count (given);
    struct json *paths = json_array (), *list;
    int rc = given && !alone ? value_list (given, name, &list, err) : 0;

    for (size_t i = 0; rc == 0 && i < n; i++) {
        const struct json *one = alone ? given : json_at (given, i);
        const char *text;

        rc = value_text (one, name, &text, err);
        if (rc == 0) {
            _cleanup_free_ char *path =
                draft_locate (recipe->draft, below, text);

            json_push (paths, json_string (path));
        }
    }
    if (rc == 0)
        return paths;
    json_unref (paths);
    return NULL;
}

struct json *recipe_locate (struct recipe *recipe, const struct json *given,
                            const char *name, const char *below,
                            struct error *err)
{
    _cleanup_json_ struct json *paths =
        absolute_paths (recipe, given, name, below, err);
    struct json *named = paths ? json_array () : NULL;

    for (size_t i = 0; i < json_count (paths); i++)
        json_push (named, draft_named (recipe->draft,
                                       json_as_string (json_at (paths, i))));
    return named;
}

struct json *recipe_paths (struct recipe *recipe, const struct section *s,
                           const char *key, const char *below,
                           struct error *err)
{
    _cleanup_free_ char *name = section_path (s, key);
    struct json *paths =
        recipe_locate (recipe, section_get (s, key), name, below, err);

    return paths;
}

int recipe_models (struct recipe *recipe, const struct section *s,
                   const char *key, struct json **out, struct error *err)
{
    char *name = section_path (s, key);
    _cleanup_json_ struct json *paths =
        absolute_paths (recipe, section_get (s, key), name, NULL, err);

    free (name);
    *out = json_count (paths) > 0 ? json_array () : NULL;
    for (size_t i = 0; i < json_count (paths); i++) {
        _cleanup_free_ char *dir = xasprintf ("models/%03zu", i);

        draft_add_copy (recipe->draft, dir,
                        json_as_string (json_at (paths, i)));
        json_push (*out, json_string (dir));
    }
    return paths ? 0 : -1;
}

struct json *recipe_binding (const char *from, struct json *otherwise)
{
    struct json *binding = json_object ();

    json_set (binding, "from", json_string (from));
    if (otherwise)
        json_set (binding, "default", otherwise);
    return binding;
}

void recipe_add_held_out (struct recipe *recipe, struct json *paths,
                          const char *key)
{
    if (json_count (paths) > 0) {
        outline_set (&recipe->draft->campaign, "data.held_out",
                     json_ref (paths), "%s", key);
        recipe_set (recipe, "train.with.validation",
                    recipe_binding ("data.held_out", NULL), NULL);
    }
    json_unref (paths);
}
