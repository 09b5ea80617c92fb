/* SPDX-License-Identifier: BSD-3-Clause */
/* known_results.c - what the store's documents of a stage's identity tell */
#include "config.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/heartbeat.h"
#include "base/json.h"
#include "base/strvec.h"
#include "engine/act/known_results.h"
#include "engine/act/result_store.h"
#include "store/store.h"

static void known_release (struct known *known)
{
    result_table_release (&known->table);
    json_unref (known->document);
}

void known_results_release (struct known_results *known)
{
    for (size_t i = 0; i < known->n; i++)
        known_release (&known->v[i]);
    free (known->v);
    *known = (struct known_results){ 0 };
}

static int newer_first (const void *a, const void *b)
{
    const struct known *left = a, *right = b;
    double left_s = json_get_double (left->document, "made_s");
    double right_s = json_get_double (right->document, "made_s");

    return (left_s < right_s) - (left_s > right_s);
}

/* 1; 0: it tells nothing that is of use; -1. */
static int read_known (struct store *store, const char *name,
                       struct known *known, struct error *err)
{
    struct json *document = NULL;
    int rc = result_document_read (store, name, &document, err);

    if (rc > 0 && digest_is_hex (json_get_string (document, "lines"))
        && digest_is_hex (json_get_string (document, "index"))) {
        *known = (struct known){ document, RESULT_TABLE_INIT };
        return 1;
    }
    json_unref (document);
    return rc < 0 ? -1 : 0;
}

int known_results_find (struct known_results *known, struct store *store,
                        const char *identity, struct error *err)
{
    struct strvec names = STRVEC_INIT;
    struct known_results found = { 0 };
    int rc = result_documents_find (store, identity, &names, err);

    found.v = xcalloc (names.n + 1, sizeof (*found.v));
    for (size_t i = 0; rc >= 0 && i < names.n; i++) {
        rc = read_known (store, names.v[i], &found.v[found.n], err);
        found.n += rc > 0;
    }
    strvec_release (&names);
    if (rc < 0) {
        known_results_release (&found);
        return -1;
    }
    if (found.n > 1)
        qsort (found.v, found.n, sizeof (*found.v), newer_first);
    while (found.n > KNOWN_RESULTS_MAX)
        known_release (&found.v[--found.n]);
    *known = found;
    return 0;
}

/* Its files are read by names that go at once. */
static int open_table (struct known *known, struct store *store,
                       const char *dir)
{
    const char *lines_hex = json_get_string (known->document, "lines");
    const char *index_hex = json_get_string (known->document, "index");
    char *lines = path_join (dir, "lines");
    char *index = path_join (dir, "index");
    int rc = -1;

    if (store_place_kind (store, STORE_FILE, lines_hex, lines, NULL) > 0
        && store_place_kind (store, STORE_FILE, index_hex, index, NULL) > 0)
        rc = result_table_open (&known->table, lines, index, NULL);
    (void)unlink (lines);
    (void)unlink (index);
    free (lines);
    free (index);
    return rc;
}

void known_results_open (struct known_results *known, struct store *store,
                         const char *dir, const struct heartbeat *heartbeat)
{
    size_t n = 0;

    for (size_t i = 0; i < known->n; i++) {
        struct known one = known->v[i];

        heartbeat_send (heartbeat);
        if (open_table (&one, store, dir) == 0)
            known->v[n++] = one;
        else
            known_release (&one);
    }
    known->n = n;
}

bool known_results_take (struct known_results *known, int32_t task,
                         const char *identity, struct match *match)
{
    for (size_t i = 0; i < known->n; i++) {
        int64_t number = result_table_take (&known->v[i].table, identity);

        if (number < 0)
            continue;
        *match = (struct match){ task, (uint32_t)i, number };
        return true;
    }
    return false;
}
