/* SPDX-License-Identifier: BSD-3-Clause */
/* labelling.c - the stage label, as both front ends fill it */
#include "base/base.h"

#include "base/json.h"
#include "import/document.h"
#include "import/labelling.h"

void label_set (struct labelling *l, const char *port, struct json *v,
                const char *key)
{
    _cleanup_free_ char *path = xasprintf ("label.with.%s", port);
    _cleanup_free_ char *note = xasprintf ("%s%s", l->keys->prefix, key);

    recipe_set (l->recipe, path, v, note);
}

void label_set_file (struct labelling *l, const char *port, const char *name,
                     const char *text, const char *key)
{
    const char *file = draft_add_file (l->recipe->draft, name, text);

    label_set (l, port, json_string (file), key);
}

int label_read (struct labelling *l, const char *key, const char *port,
                struct strbuf *text, struct error *err)
{
    struct draft *draft = l->recipe->draft;
    const char *file;
    _cleanup_free_ char *path = NULL;
    int rc = key_text (l->keys, key, &file, err);

    if (rc != 0)
        return rc;
    path = draft_locate (draft, NULL, file);
    rc = draft->files->read (path, text, err);
    if (rc >= 0 && text->len == 0)
        label_set (l, port, draft_named (draft, path), key);
    return rc < 0 ? -1 : 0;
}

/* --- files of elements --- */

/* A list in the order of type_map as a mapping.  NULL with 'err'. */
static struct json *by_element (struct labelling *l, const char *key,
                                struct error *err)
{
    const struct json *elements = l->recipe->elements;
    struct json *list, *map;
    int rc = key_list (l->keys, key, &list, err);

    if (rc > 0)
        key_missing (l->keys, key, err);
    if (rc == 0 && json_count (list) != json_count (elements))
        rc = error_set (err,
                        "%s: the number of files is %zu, that of elements "
                        "%zu; write one for each, in the order of type_map",
                        key, json_count (list), json_count (elements));
    if (rc != 0)
        return NULL;
    map = json_object ();
    for (size_t i = 0; i < json_count (list); i++)
        json_set (map, json_as_string (json_at (elements, i)),
                  json_ref (json_at (list, i)));
    return map;
}

static struct json *by_name (struct labelling *l, const char *key,
                             struct error *err)
{
    struct json *map = NULL;
    int rc = key_mapping (l->keys, key, &map, err);

    if (rc > 0)
        key_missing (l->keys, key, err);
    return json_ref (map);
}

/* Only what is no comment, and each looked for. */
static int check_files (struct labelling *l, const struct json *given,
                        const char *key, const char *dir, struct json *map,
                        struct error *err)
{
    _cleanup_free_ char *path = section_path (l->keys, key);
    int rc = 0;

    JSON_FOREACH (given, it) {
        const char *file;

        if (rc < 0 || json_iter_key (it)[0] == '_')
            continue;
        rc = value_text (json_iter_value (it), path, &file, err);
        if (rc == 0) {
            free (draft_locate (l->recipe->draft, dir, file));
            json_set (map, json_iter_key (it), json_string (file));
        }
    }
    return rc;
}

int label_set_by_element (struct labelling *l, const char *key,
                          const char *dir_key, const char *port,
                          const char *dir_port, struct error *err)
{
    struct draft *draft = l->recipe->draft;
    _cleanup_json_ struct json *given =
        dir_key ? by_element (l, key, err) : by_name (l, key, err);
    _cleanup_json_ struct json *map = json_object ();
    _cleanup_free_ char *path = NULL;
    const char *dir = "";

    if (!given || (dir_key && key_text (l->keys, dir_key, &dir, err) < 0)
        || check_files (l, given, key, dir, map, err) < 0)
        return -1;
    path = draft_path (draft, NULL, dir);
    label_set (l, dir_port, draft_named (draft, path), dir_key ? dir_key : key);
    label_set (l, port, json_ref (map), key);
    return 0;
}

/* --- the stage --- */

/* Arguments of a command that the kits give themselves. */
static struct json *own_words (const struct json *program)
{
    static const char *const with_file[] = { "-i",     "-in", "-inp",
                                             "-input", "-o",  NULL };
    struct json *words = json_array ();

    for (size_t i = 0; i < json_count (program); i++) {
        if (words_contain (with_file, json_as_string (json_at (program, i))))
            i++;
        else
            json_push (words, json_ref (json_at (program, i)));
    }
    return words;
}

void label_begin (struct labelling *l, const struct label_style *style,
                  const char *style_key, const char *task_key)
{
    recipe_add_stage (l->recipe, IMPORT_LABEL, style->uses, style_key,
                      task_key);
}

int label_add_inputs (struct labelling *l, const struct label_style *style,
                      const char *program_key, struct error *err)
{
    struct stage_machine *machine = &l->recipe->stages[IMPORT_LABEL];
    _cleanup_free_ char *port = xasprintf ("label.with.%s", style->program);
    int rc;

    recipe_set (l->recipe, "label.with.frames",
                json_string ("previous.select.frames"), NULL);
    rc = style->add (l, err);
    if (rc == 0 && json_count (machine->files) > 0) {
        struct json *files = recipe_locate (l->recipe, machine->files,
                                            "user_forward_files", NULL, err);

        rc = files ? 0 : -1;
        if (files)
            recipe_set (l->recipe, "label.with.files", files,
                        "machine file: fp.user_forward_files");
    }
    if (rc == 0)
        recipe_add_program (l->recipe, port, own_words (machine->program),
                            program_key);
    return rc;
}
