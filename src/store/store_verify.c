/* SPDX-License-Identifier: BSD-3-Clause */
/* store_verify.c - read everything again, and put aside what is damaged */
#include "base/base.h"

#include "base/file.h"
#include "base/findings.h"
#include "base/json.h"
#include "store/store_private.h"
#include "store/store_upkeep.h"

struct verifying {
    const struct store *store;
    struct findings *findings;
    struct store_verify_counts *counts;
};

/* --- contents --- */

/* Move it aside, and say where it is now. */
static void name_damage (struct verifying *verifying, const char *path,
                         const char *what)
{
    struct error err = ERROR_INIT;
    _cleanup_free_ char *aside = xasprintf (
        "%s/" STORE_DAMAGED "/%s", verifying->store->dir, path_base (path));
    _cleanup_free_ char *advice = NULL;

    if (store_make_folder (verifying->store, STORE_DAMAGED, &err) == 0
        && file_rename (path, aside, &err) == 0)
        advice = xasprintf ("it is '%s' now, and not used any more; remove it "
                            "when you know why",
                            aside);
    else
        advice = xasprintf ("it could not be moved away: %s", err.text);
    verifying->counts->damaged++;
    findings_add (verifying->findings, GRADE_BAD, path, advice, "%s", what);
}

/* What is wrong with it; NULL: nothing, or it went away, or ('err') it cannot
 * be read.
 */
static const char *find_damage (struct verifying *verifying, const char *path,
                                const struct content_name *name,
                                struct error *err)
{
    _cleanup_free_ char *content = content_in (path);
    struct store_verify_counts *counts = verifying->counts;
    struct content_shape shape = { .files = 0 };
    char hex[DIGEST_HEX_SIZE];
    struct error why = ERROR_INIT;
    const char *damage = NULL;

    if (content_measure (content, &shape, &why) < 0
        || digest_tree (content, hex, NULL, NULL, &why) < 0) {
        if (error_is_absence (&why))
            damage = file_exists (path) ? "what was put is not in it" : NULL;
        else if (error_is_machine_error (&why))
            error_copy (err, &why);
        else
            damage = "what is in it was never put"; /* a pipe, say */
    } else if (strcmp (hex, name->hex) != 0) {
        damage = "its bytes are not those that were put";
    } else if (strcmp (shape.hex, name->shape) != 0) {
        damage = "its directories, or who may be executed, are not those that "
                 "were put";
    }
    counts->files += shape.files;
    counts->trees += name->kind == STORE_TREE;
    counts->bytes += shape.bytes;
    return damage;
}

static int verify_contents (struct verifying *verifying, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    struct error why = ERROR_INIT;
    int rc = store_list_folder (verifying->store, STORE_CONTENTS, &names, err);

    for (size_t i = 0; rc == 0 && i < names.n; i++) {
        _cleanup_free_ char *path = xasprintf (
            "%s/" STORE_CONTENTS "/%s", verifying->store->dir, names.v[i]);
        struct content_name name;
        const char *damage = NULL;

        if (content_parse (names.v[i], &name))
            damage = find_damage (verifying, path, &name, &why);
        if (damage)
            name_damage (verifying, path, damage);
        else if (why.text[0])
            rc = error_copy (err, &why);
    }
    return rc;
}

/* --- documents --- */

/* A document has no digest to compare it with. */
static int verify_documents (struct verifying *verifying, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec documents = STRVEC_INIT;
    int rc = store_documents (verifying->store, &documents, err);

    for (size_t i = 0; rc == 0 && i < documents.n; i++) {
        _cleanup_free_ char *path =
            store_document_path (verifying->store, documents.v[i]);
        struct error why = ERROR_INIT;
        _cleanup_json_ struct json *v = json_read_file (path, &why);

        verifying->counts->documents++;
        if (!v && error_is_machine_error (&why) && !error_is_absence (&why)) {
            rc = error_copy (err, &why);
        } else if (!v && !error_is_absence (&why)) {
            verifying->counts->damaged++;
            findings_add (verifying->findings, GRADE_BAD, path,
                          "restore it, or remove it if you know what it was; "
                          "gc removes nothing before",
                          "%s", why.text);
        }
    }
    return rc;
}

int store_verify (const struct store *store, struct findings *findings,
                  struct store_verify_counts *counts, struct error *err)
{
    struct verifying verifying = { store, findings, counts };

    *counts = (struct store_verify_counts){ 0 };
    return verify_contents (&verifying, err) < 0
                   || verify_documents (&verifying, err) < 0
               ? -1
               : 0;
}
