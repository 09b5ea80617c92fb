/* SPDX-License-Identifier: BSD-3-Clause */
/* result_store.h - the store as a campaign uses it: documents of results
 *
 * Document results/<identity>-<origin>-<operator> tells what the tasks of one
 * stage of one iteration made that ran there, not those that were reused:
 *   {"format": 1, "operator", "campaign": DIR, "stage", "iteration",
 *    "tasks": how many, "made_s", "parts": those of the stage's identity
 *    (identity.h), "lines": HEX, "index": HEX}      (result_table.h)
 * The identity is the stage's; the origin is the campaign's directory, the
 * stage and the iteration.
 *
 * A store is a help and no need: whatever fails there is journaled once (event
 * `store`), and the campaign goes on without it.
 */
#ifndef ENGINE_RESULT_STORE_H
#define ENGINE_RESULT_STORE_H

struct engine;
struct error;
struct json;
struct stage_place;
struct store;
struct strbuf;
struct strvec;

/* The store that site.yaml or FANFOLD_STORE names, for who holds the lease;
 * NULL: none is named, or it cannot be used.
 */
struct store *result_store_open (struct engine *engine);

/* It failed; or, with 'why' NULL, it did not. */
void result_store_note (struct engine *engine, const struct error *why);

/* The name of a document; of documents with that identity the beginning. */
void result_document_name (const char *identity, const char *campaign_dir,
                           const struct stage_place *place,
                           const char *operator_name, struct strbuf *name);

/* Append the names of those with the stage's identity, or (NULL) of all. */
int result_documents_find (struct store *store, const char *identity,
                           struct strvec *names, struct error *err);

/* 1; 0: there is none, or not one that is known; -1. */
int result_document_read (struct store *store, const char *name,
                          struct json **document, struct error *err);

#endif /* !ENGINE_RESULT_STORE_H */
