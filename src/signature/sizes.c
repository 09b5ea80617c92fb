/* SPDX-License-Identifier: BSD-3-Clause */
/* sizes.c - named sizes: one name is one extent in all ports of a task */
#include "base/base.h"

#include "base/file.h"
#include "base/heartbeat.h"
#include "base/json.h"
#include "signature/sizes.h"
#include "signature/type.h"
#include "signature/value.h"

void sizes_truncate (struct sizes *sizes, size_t n)
{
    while (sizes->n > n) {
        struct named_size *last = &sizes->v[--sizes->n];

        free (last->name);
        free (last->where);
    }
}

void sizes_release (struct sizes *sizes)
{
    sizes_truncate (sizes, 0);
    free (sizes->v);
    *sizes = (struct sizes)SIZES_INIT;
}

bool type_names_sizes (const struct type *type)
{
    for (int i = 0; i < type->n_dims; i++) {
        if (type->sizes[i])
            return true;
    }
    return false;
}

static const struct named_size *find_size (const struct sizes *sizes,
                                           const char *name)
{
    for (size_t i = 0; i < sizes->n; i++) {
        if (strcmp (sizes->v[i].name, name) == 0)
            return &sizes->v[i];
    }
    return NULL;
}

int64_t sizes_find (const struct sizes *sizes, const char *name)
{
    const struct named_size *known = find_size (sizes, name);

    return known ? known->extent : -1;
}

static int note_size (struct sizes *sizes, const char *name, int64_t extent,
                      const char *word, const char *port, struct error *err)
{
    const struct named_size *known = find_size (sizes, name);

    if (known && known->extent != extent)
        return error_set (
            err, "size '%s' is %" PRId64 " in %s and %" PRId64 " in %s '%s'",
            name, known->extent, known->where, extent, word, port);
    if (known)
        return 0;
    sizes->v =
        grow_array (sizes->v, sizes->n, &sizes->alloc, sizeof (*sizes->v));
    sizes->v[sizes->n++] =
        (struct named_size){ xstrdup (name), extent,
                             xasprintf ("%s '%s'", word, port) };
    return 0;
}

int sizes_note (struct sizes *sizes, const struct type *type,
                const struct type *found, const char *word, const char *port,
                struct error *err)
{
    for (int i = 0; i < type->n_dims && i < found->n_dims; i++) {
        if (type->sizes[i] && found->shape[i] >= 0
            && note_size (sizes, type->sizes[i], found->shape[i], word, port,
                          err)
                   < 0)
            return -1;
    }
    return 0;
}

/* --- arrays on disk --- */

struct looking {
    struct sizes *sizes;
    const struct type *type;
    const char *dir, *word;
    const struct heartbeat *heartbeat;
    struct strbuf port; /* with the place in its lists, "maps[3]" */
};

static int note_array (const struct looking *l, const char *name,
                       struct error *err)
{
    _cleanup_free_ char *path = path_join (l->dir, name);
    struct type found;
    int rc = npy_read_type (path, &found, err);

    if (rc == 0)
        rc = sizes_note (l->sizes, l->type, &found, l->word, l->port.buf, err);
    return rc;
}

/* Lists are as deep as types nest. */
static int note_all (struct looking *l, const struct json *value,
                     struct error *err)
{
    size_t here = l->port.len;

    heartbeat_send (l->heartbeat);
    if (json_kind (value) == JSON_KIND_STRING)
        return note_array (l, json_as_string (value), err);
    for (size_t i = 0;
         json_kind (value) == JSON_KIND_ARRAY && i < json_count (value); i++) {
        strbuf_addf (&l->port, "[%zu]", i);
        if (note_all (l, json_at (value, i), err) < 0)
            return -1;
        strbuf_truncate (&l->port, here);
    }
    return 0;
}

int sizes_note_value (struct sizes *sizes, const struct type *type,
                      const struct json *value, const char *dir,
                      const char *word, const char *port,
                      const struct heartbeat *heartbeat, struct error *err)
{
    struct looking l = { .sizes = sizes,
                         .type = type,
                         .dir = dir,
                         .word = word,
                         .heartbeat = heartbeat,
                         .port = STRBUF_INIT };
    int rc = 0;

    strbuf_add_str (&l.port, port);
    if (type_names_sizes (type))
        rc = note_all (&l, value, err);
    strbuf_release (&l.port);
    return rc;
}
