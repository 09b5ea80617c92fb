/* SPDX-License-Identifier: BSD-3-Clause */
/* result_store.c - the store as a campaign uses it: documents of results */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/strvec.h"
#include "campaign/plan.h"
#include "engine/act/result_store.h"
#include "engine/history/engine.h"
#include "space/layout.h"
#include "store/store.h"

#define KIND "results"

enum { FORMAT = 1 };

/* --- opening --- */

struct store *result_store_open (struct engine *engine)
{
    char *dir = store_dir_named (engine->plan->store);
    struct error why = ERROR_INIT;
    struct store *store = dir ? store_open (dir, &why) : NULL;

    if (store)
        store_beat (store, &engine->heartbeat);
    else if (dir)
        result_store_note (engine, &why);
    free (dir);
    return store;
}

void result_store_note (struct engine *engine, const struct error *why)
{
    const char *known = engine->state.store_why;
    const char *text = why ? why->text : NULL;
    struct json *event;

    if (known ? text && strcmp (known, text) == 0 : !text)
        return;
    event = event_new ("store", engine_now_s (engine));
    json_set (event, "why", json_string (text ? text : ""));
    (void)engine_record (engine, event, NULL); /* the next one tells */
}

/* --- documents --- */

void result_document_name (const char *identity, const char *campaign_dir,
                           const struct stage_place *place,
                           const char *operator_name, struct strbuf *name)
{
    const uint64_t words[] = { hash_string (1, campaign_dir),
                               hash_string (2, place->stage),
                               (uint64_t)place->iteration };

    strbuf_addf (name, "%s-%016" PRIx64 "-%.100s", identity,
                 hash_words (3, words, 3), operator_name);
}

int result_documents_find (struct store *store, const char *identity,
                           struct strvec *names, struct error *err)
{
    struct strvec all = STRVEC_INIT;
    size_t len = DIGEST_HEX_SIZE - 1;
    int rc = store_record_names (store, KIND, &all, err);

    for (size_t i = 0; rc == 0 && i < all.n; i++) {
        if (!identity
            || (strncmp (all.v[i], identity, len) == 0 && all.v[i][len] == '-'))
            strvec_push (names, all.v[i]);
    }
    strvec_release (&all);
    return rc;
}

int result_document_read (struct store *store, const char *name,
                          struct json **document, struct error *err)
{
    struct json *read = NULL;
    int rc = store_record_read (store, KIND, name, &read, err);

    if (rc > 0 && json_get_int (read, "format") == FORMAT) {
        *document = read;
        return 1;
    }
    json_unref (read);
    return rc < 0 ? -1 : 0;
}
