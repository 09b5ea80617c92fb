/* SPDX-License-Identifier: BSD-3-Clause */
/* use_store.c - what `fanfold quick` does with a store, as a command for tests
 *
 *     use_store DIR put PATH            prints the digest
 *     use_store DIR has DIGEST          exit 0 or 1
 *     use_store DIR place DIGEST TO
 *     use_store DIR record KIND NAME TEXT
 */
#include "base/base.h"

#include "base/json.h"
#include "store/store.h"

static int record (struct store *store, char **args, struct error *err)
{
    struct json *v = json_parse (args[2], strlen (args[2]), "argument", err);
    int rc = v ? store_record_write (store, args[0], args[1], v, err) : -1;

    json_unref (v);
    return rc;
}

static int put (struct store *store, const char *path, struct error *err)
{
    char hex[DIGEST_HEX_SIZE];

    if (store_put (store, path, hex, err) < 0)
        return -1;
    puts (hex);
    return 0;
}

/* A file or a tree: exit status 1 for what is not there. */
static int find (struct store *store, const char *hex, const char *to,
                 struct error *err)
{
    int rc = 0;

    for (int kind = STORE_FILE; rc == 0 && kind <= STORE_TREE; kind++) {
        struct error why = ERROR_INIT;

        rc = to ? store_place (store, (enum store_kind)kind, hex, to, &why)
                : store_has (store, (enum store_kind)kind, hex, &why);
        if (rc <= 0 && why.text[0])
            error_copy (err, &why);
    }
    return rc < 0 ? -1 : rc == 0;
}

static int act (struct store *store, const char *word, int n, char **args,
                struct error *err)
{
    if (strcmp (word, "put") == 0 && n == 1)
        return put (store, args[0], err);
    if (strcmp (word, "has") == 0 && n == 1)
        return find (store, args[0], NULL, err);
    if (strcmp (word, "place") == 0 && n == 2)
        return find (store, args[0], args[1], err);
    if (strcmp (word, "record") == 0 && n == 3)
        return record (store, args, err);
    return error_set (err, "'%s' with %d words is nothing to do", word, n);
}

int main (int argc, char **argv)
{
    struct error err = ERROR_INIT;
    struct store *store;
    int rc = -1;

    if (argc < 3) {
        fputs ("usage: use_store DIR ACTION WORD ...\n", stderr);
        return 2;
    }
    if ((store = store_open (argv[1], &err)))
        rc = act (store, argv[2], argc - 3, argv + 3, &err);
    store_close (store);
    if (err.text[0])
        fprintf (stderr, "use_store: %s\n", err.text);
    return rc < 0 ? 3 : rc;
}
