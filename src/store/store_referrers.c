/* SPDX-License-Identifier: BSD-3-Clause */
/* store_referrers.c - documents and marks that refer to contents */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strvec.h"
#include "store/store_census.h"
#include "store/store_private.h"

/* --- what refers to what --- */

/* Its number.  'name' and 'path' are taken over. */
static size_t add_referrer (struct store_census *census,
                            enum referrer_kind kind, char *name, char *path,
                            bool expired)
{
    census->referrers =
        grow_array (census->referrers, census->n_referrers,
                    &census->referrers_alloc, sizeof (*census->referrers));
    census->referrers[census->n_referrers] =
        (struct census_referrer){ kind, name, path, expired };
    return census->n_referrers++;
}

static void add_reference (struct store_census *census, size_t by,
                           const char *text)
{
    if (!digest_is_hex (text))
        return;
    census->references =
        grow_array (census->references, census->n_references,
                    &census->references_alloc, sizeof (*census->references));
    memcpy (census->references[census->n_references].hex, text,
            DIGEST_HEX_SIZE);
    census->references[census->n_references++].by = by;
}

/* Every digest that 'v' has, wherever it stands. */
static void add_all (struct store_census *census, size_t by,
                     const struct json *v)
{
    if (json_kind (v) == JSON_KIND_STRING)
        add_reference (census, by, json_as_string (v));
    for (size_t i = 0; json_kind (v) == JSON_KIND_ARRAY && i < json_count (v);
         i++)
        add_all (census, by, json_at (v, i));
    JSON_FOREACH (v, it) {
        add_reference (census, by, json_iter_key (it));
        add_all (census, by, json_iter_value (it));
    }
}

/* --- documents --- */

static struct json *read_document (const char *path, struct error *err)
{
    struct json *v = json_read_file (path, err);

    if (!v && err && !error_is_machine_error (err))
        error_prefix (err, "a document of the store is damaged; restore it, or "
                           "remove it if you know what it was");
    return v;
}

static int read_record (struct store *store, const char *kind, const char *name,
                        struct store_census *census, struct error *err)
{
    char *path = store_record_path (store, kind, name, err);
    struct json *v = path ? read_document (path, err) : NULL;
    size_t by;

    if (!v) {
        free (path);
        return -1;
    }
    by = add_referrer (census, REFERRER_DOCUMENT,
                       xasprintf ("%s/%s", kind, name), path, false);
    add_all (census, by, v);
    json_unref (v);
    return 0;
}

static int read_records (struct store *store, struct store_census *census,
                         struct error *err)
{
    struct strvec kinds = STRVEC_INIT;
    int rc = store_list_folder (store, STORE_RECORDS, &kinds, err);

    for (size_t i = 0; rc == 0 && i < kinds.n; i++) {
        struct strvec names = STRVEC_INIT;

        rc = store_record_names (store, kinds.v[i], &names, err);
        for (size_t k = 0; rc == 0 && k < names.n; k++) {
            heartbeat_send (&store->heartbeat);
            rc = read_record (store, kinds.v[i], names.v[k], census, err);
        }
        strvec_release (&names);
    }
    strvec_release (&kinds);
    return rc;
}

/* --- what was put a moment ago --- */

/* Files of other users that were put once more, and could not mark as such
 * themselves (store_file.c).
 */
static int read_fresh (struct store *store, struct store_census *census,
                       struct error *err)
{
    struct strvec names = STRVEC_INIT;
    int rc = store_list_folder (store, STORE_FRESH, &names, err);

    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        char *path = store_file (store, STORE_FRESH, names.v[i]);
        struct stat st;
        double age_s;

        if (lstat (path, &st) < 0) {
            free (path);
            continue;
        }
        age_s = census->now_s - (double)st.st_ctim.tv_sec;
        add_reference (census,
                       add_referrer (census, REFERRER_MARK,
                                     xstrdup (STORE_FRESH), path,
                                     age_s >= census->age_s),
                       names.v[i]);
    }
    strvec_release (&names);
    return rc;
}

int store_referrers_read (struct store *store, struct store_census *census,
                          struct error *err)
{
    return read_records (store, census, err) < 0
                   || read_fresh (store, census, err) < 0
               ? -1
               : 0;
}
