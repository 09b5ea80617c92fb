/* SPDX-License-Identifier: BSD-3-Clause */
/* store_referrers.c - campaigns and documents that refer to contents */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strvec.h"
#include "store/store_census.h"
#include "store/store_private.h"

/* The kind of which a campaign may be gone; others stay for good. */
#define RESULTS "results"

/* --- is a directory there? --- */

/* What was the root of a file system when the campaign was seen: is it one? */
static bool is_mounted (const char *mount)
{
    char *above = path_join (mount, "..");
    struct stat st, st_above;
    bool mounted = stat (mount, &st) == 0 && stat (above, &st_above) == 0
                   && (st.st_dev != st_above.st_dev
                       || st.st_ino == st_above.st_ino); /* the root itself */

    free (above);
    return mounted;
}

/* Only what is known not to be there is gone: whatever else goes wrong, a
 * server may answer again.
 */
static enum presence presence_of (const char *dir, const struct json *head)
{
    const char *host = json_get_string (head, "host");
    const char *mount = json_get_string (head, "mount");
    char here[256] = "";
    struct stat st;

    if (stat (dir, &st) == 0 || (errno != ENOENT && errno != ENOTDIR))
        return PRESENCE_THERE;
    if (gethostname (here, sizeof (here) - 1) < 0
        || (host[0] && strcmp (host, here) != 0)
        || (mount[0] && !is_mounted (mount)))
        return PRESENCE_OUT_OF_SIGHT;
    return PRESENCE_GONE;
}

/* --- what refers to what --- */

/* Its number.  'name' and 'path' are taken over. */
static size_t add_referrer (struct store_census *census,
                            enum referrer_kind kind, char *name, char *path,
                            enum presence presence)
{
    census->referrers =
        grow_array (census->referrers, census->n_referrers,
                    &census->referrers_alloc, sizeof (*census->referrers));
    census->referrers[census->n_referrers] =
        (struct census_referrer){ kind, name, path, presence };
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

/* --- campaigns --- */

static struct json *read_document (const char *path, struct error *err)
{
    struct json *v = json_read_file (path, err);

    if (!v && err && !error_is_machine_error (err))
        error_prefix (err, "a document of the store is damaged; restore it, or "
                           "remove it if you know what it was");
    return v;
}

/* One without a head was being made, or being removed. */
static int read_head (const char *place, struct json **head, struct error *err)
{
    char *path = path_join (place, STORE_CAMPAIGN_FILE);
    int rc = file_look (path, err);

    *head = NULL;
    if (rc > 0)
        rc = (*head = read_document (path, err)) ? 1 : -1;
    free (path);
    return rc;
}

static int read_refers (const char *place, struct store_census *census,
                        size_t by, struct error *err)
{
    struct strvec names = STRVEC_INIT;
    int rc = file_list_dir (place, &names, err);

    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        char *path = path_join (place, names.v[i]);
        struct json *v = NULL;

        if (strcmp (names.v[i], STORE_CAMPAIGN_FILE) != 0
            && !(v = read_document (path, err)))
            rc = -1;
        add_all (census, by, v);
        json_unref (v);
        free (path);
    }
    strvec_release (&names);
    return rc;
}

static int read_campaign (struct store *store, const char *id,
                          struct store_census *census, struct error *err)
{
    char *place = store_file (store, STORE_CAMPAIGNS, id);
    const char *dir;
    struct json *head;
    int rc = read_head (place, &head, err);
    size_t by;

    if (rc <= 0) {
        free (place);
        return rc;
    }
    dir = json_get_string (head, "campaign");
    by = add_referrer (census, REFERRER_CAMPAIGN, xstrdup (dir), place,
                       presence_of (dir, head));
    json_set (census->campaigns, dir, json_int ((int64_t)by));
    json_unref (head);
    return read_refers (place, census, by, err);
}

static int read_campaigns (struct store *store, struct store_census *census,
                           struct error *err)
{
    struct strvec ids = STRVEC_INIT;
    int rc = store_list_folder (store, STORE_CAMPAIGNS, &ids, err);

    for (size_t i = 0; rc == 0 && i < ids.n; i++) {
        heartbeat_send (&store->heartbeat);
        rc = read_campaign (store, ids.v[i], census, err);
    }
    strvec_release (&ids);
    return rc;
}

/* --- documents --- */

/* Is the campaign in 'dir' gone, as far as is known of it? */
static bool is_gone (const struct store_census *census, const char *dir)
{
    const struct json *known = json_get (census->campaigns, dir);
    enum presence presence =
        known ? census->referrers[json_as_int (known)].presence
              : presence_of (dir, NULL);

    return presence == PRESENCE_GONE;
}

/* Results are gone when the campaign is that made them, and no one is there
 * who took them.
 */
static enum presence presence_of_results (const struct store_census *census,
                                          const char *name,
                                          const struct json *v)
{
    const char *origin = json_get_string (v, "campaign");
    char hex[DIGEST_HEX_SIZE];

    snprintf (hex, sizeof (hex), "%s", name);
    return !origin[0] || !is_gone (census, origin)
                   || store_census_is_referred (census, hex)
               ? PRESENCE_THERE
               : PRESENCE_GONE;
}

static int read_record (struct store *store, const char *kind, const char *name,
                        struct store_census *census, struct error *err)
{
    char *path = store_record_path (store, kind, name, err);
    struct json *v = path ? read_document (path, err) : NULL;
    enum presence presence = PRESENCE_THERE;
    size_t by;

    if (!v) {
        free (path);
        return -1;
    }
    if (strcmp (kind, RESULTS) == 0)
        presence = presence_of_results (census, name, v);
    by = add_referrer (census, REFERRER_DOCUMENT,
                       xasprintf ("%s/%s", kind, name), path, presence);
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
                                     age_s < census->age_s ? PRESENCE_THERE
                                                           : PRESENCE_GONE),
                       names.v[i]);
    }
    strvec_release (&names);
    return rc;
}

int store_referrers_read (struct store *store, struct store_census *census,
                          struct error *err)
{
    if (read_campaigns (store, census, err) < 0)
        return -1;
    store_census_sort (census);
    if (read_records (store, census, err) < 0
        || read_fresh (store, census, err) < 0)
        return -1;
    store_census_sort (census);
    return 0;
}
