/* SPDX-License-Identifier: BSD-3-Clause */
/* registry.c - algorithms, datasets and models that the store has by name */
#include "base/base.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/json_record.h"
#include "quick/registry.h"
#include "quick/resource_name.h"

#define TIES "ties"
#define PROJECTS "projects"

enum { TRIES = 1000 };

const char *resource_kind_word (enum resource_kind kind)
{
    static const char *const words[] = { "algorithm", "dataset", "model" };

    return words[kind];
}

const char *resource_kind_folder (enum resource_kind kind)
{
    static const char *const folders[] = { "algorithms", "datasets", "models" };

    return folders[kind];
}

/* --- documents --- */

static const struct json_field fields[] = {
    JSON_FIELD (struct resource, id, STRING),
    JSON_FIELD (struct resource, name, STRING),
    JSON_FIELD (struct resource, version, COUNT, .least = 1),
    JSON_FIELD (struct resource, sha256, TEXT),
    JSON_FIELD (struct resource, file, BOOL),
    JSON_FIELD (struct resource, source, STRING),
    JSON_FIELD (struct resource, revision, STRING),
    JSON_FIELD (struct resource, description, STRING, .optional = true),
    JSON_FIELDS_END,
};

void resource_release (struct resource *resource)
{
    free (resource->id);
    free (resource->name);
    free (resource->source);
    free (resource->revision);
    free (resource->description);
    *resource = (struct resource)RESOURCE_INIT;
}

enum store_kind resource_store_kind (const struct resource *resource)
{
    return resource->file ? STORE_FILE : STORE_TREE;
}

/* When it was made: for people, and the order of ties. */
static void set_made (struct json *record)
{
    char now[CLOCK_ISO_SIZE];

    clock_iso (clock_wall_s (), now);
    json_set (record, "format", json_int (1));
    json_set (record, "made", json_string (now));
}

int registry_find (struct store *store, enum resource_kind kind, const char *id,
                   struct resource *found, struct error *err)
{
    const char *folder = resource_kind_folder (kind);
    struct resource read = RESOURCE_INIT;
    _cleanup_json_ struct json *record = NULL;
    int rc;

    if (!resource_id_ok (id))
        return 0;
    rc = store_record_read (store, folder, id, &record, err);
    if (rc > 0 && json_record_read (record, fields, &read, err) < 0) {
        error_prefix (err, "%s '%s' of the store", resource_kind_word (kind),
                      id);
        resource_release (&read);
        rc = -1;
    } else if (rc > 0) {
        *found = read;
    }
    return rc;
}

int registry_ids (struct store *store, enum resource_kind kind,
                  struct strvec *ids, struct error *err)
{
    return store_record_names (store, resource_kind_folder (kind), ids, err);
}

/* The first of these with the content of 'content'. */
static int find_content (struct store *store, enum resource_kind kind,
                         const struct strvec *ids,
                         const struct resource *content, struct resource *found,
                         struct error *err)
{
    for (size_t i = 0; i < ids->n; i++) {
        struct resource one = RESOURCE_INIT;
        int rc = registry_find (store, kind, ids->v[i], &one, err);

        if (rc < 0)
            return -1;
        if (rc > 0 && one.file == content->file
            && strcmp (one.sha256, content->sha256) == 0) {
            *found = one;
            return 1;
        }
        resource_release (&one);
    }
    return 0;
}

/* As the version behind those of 'ids'; 1 when another command was faster. */
static int add_next (struct store *store, enum resource_kind kind,
                     const struct strvec *ids, struct resource *new,
                     struct error *err)
{
    _cleanup_json_ struct json *record = json_object ();

    new->version = resource_next_version (ids, new->name);
    free (new->id);
    new->id = xasprintf ("%s.%d", new->name, new->version);
    json_record_write (new, fields, record);
    set_made (record);
    return store_record_create (store, resource_kind_folder (kind), new->id,
                                record, err);
}

/* Whoever sees no such content sees no version that has it, and makes the one
 * behind those he sees: of two who do so at once one is told.  1: look again.
 */
static int find_or_add (struct store *store, enum resource_kind kind,
                        struct resource *new, bool *found, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec ids = STRVEC_INIT;
    struct resource other = RESOURCE_INIT;
    int rc = registry_ids (store, kind, &ids, err);

    if (rc == 0)
        rc = find_content (store, kind, &ids, new, &other, err);
    *found = rc > 0;
    if (rc == 0)
        rc = add_next (store, kind, &ids, new, err);
    if (*found) {
        resource_release (new);
        *new = other;
        rc = 0;
    }
    return rc;
}

int registry_add (struct store *store, enum resource_kind kind,
                  struct resource *new, struct error *err)
{
    for (int i = 0; i < TRIES; i++) {
        bool found;
        int rc = find_or_add (store, kind, new, &found, err);

        if (rc <= 0)
            return rc < 0 ? -1 : found;
    }
    return error_set (err, "'%s' could not be registered: others did %d times",
                      new->name, TRIES);
}

/* --- ties and projects --- */

int registry_tie (struct store *store, const char *model, const char *algorithm,
                  struct error *err)
{
    _cleanup_free_ char *both = xasprintf ("%s %s", model, algorithm);
    _cleanup_json_ struct json *record = json_object ();
    char name[DIGEST_HEX_SIZE];

    digest_bytes (both, strlen (both), name);
    name[32] = '\0';
    json_set (record, "model", json_string (model));
    json_set (record, "algorithm", json_string (algorithm));
    json_set (record, "made_s", json_real (clock_wall_s ()));
    set_made (record);
    return store_record_write (store, TIES, name, record, err);
}

char *registry_algorithm_of (struct store *store, const char *model,
                             struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    double last_s = 0;
    char *algorithm = NULL;
    int rc = store_record_names (store, TIES, &names, err);

    for (size_t i = 0; rc >= 0 && i < names.n; i++) {
        _cleanup_json_ struct json *record = NULL;

        rc = store_record_read (store, TIES, names.v[i], &record, err);
        if (rc > 0 && strcmp (json_get_string (record, "model"), model) == 0
            && json_get_double (record, "made_s") >= last_s) {
            last_s = json_get_double (record, "made_s");
            free (algorithm);
            algorithm = xstrdup (json_get_string (record, "algorithm"));
        }
    }
    return algorithm;
}

int registry_project (struct store *store, const char *name, struct error *err)
{
    _cleanup_json_ struct json *record = json_object ();
    int rc;

    json_set (record, "name", json_string (name));
    set_made (record);
    rc = store_record_create (store, PROJECTS, name, record, err);
    return rc < 0 ? -1 : 0;
}
