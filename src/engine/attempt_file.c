/* SPDX-License-Identifier: BSD-3-Clause */
/* attempt_file.c - attempt.json: how an attempt was packed */
#include "config.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "engine/attempt_file.h"
#include "space/layout.h"

char *attempt_path (const char *dir,
                    const struct attempt_place *place,
                    const char *name)
{
    struct strbuf path = STRBUF_INIT;
    char *full;

    layout_run_attempt (place->stage, place->iteration, place->attempt, &path);
    strbuf_addf (&path, "/%s", name);
    full = path_join (dir, path.buf);
    strbuf_release (&path);
    return full;
}

char *attempt_chunk_path (const char *dir,
                          const struct attempt_place *place,
                          int chunk,
                          const char *name)
{
    struct strbuf path = STRBUF_INIT;
    char *full;

    layout_run_chunk (place->stage, place->iteration, place->attempt, chunk,
                      &path);
    strbuf_addf (&path, "/%s", name);
    full = path_join (dir, path.buf);
    strbuf_release (&path);
    return full;
}

int attempt_file_write (const char *dir,
                        const struct attempt_place *place,
                        const struct attempt_file *file,
                        struct error *err)
{
    const struct packing *p = &file->packing;
    struct json *v = json_object ();
    char *path = attempt_path (dir, place, LAYOUT_ATTEMPT_FILE);
    int rc;

    json_set (v, "format", json_int (1));
    json_set (v, "slots", json_int (p->slots));
    json_set (v, "per_element", json_int (p->per_element));
    json_set (v, "elements", json_int (p->elements));
    json_set (v, "chunks", json_int (p->chunks));
    json_set (v, "per_chunk", json_int (p->per_chunk));
    json_set (v, "cores", json_int (p->cores));
    json_set (v, "gpus", json_int (p->gpus));
    json_set (v, "memory_bytes", json_int (p->memory_bytes));
    json_set (v, "walltime_s", json_real (p->walltime_s));
    json_set (v, "nodes", json_int (p->nodes));
    json_set (v, "task", resources_to_json (&file->task));
    rc = json_write_file (path, v, err);
    free (path);
    json_unref (v);
    return rc;
}

static int read_int (const struct json *v,
                     const char *key,
                     int *out,
                     struct error *err)
{
    int64_t n;

    if (json_want_int (v, key, &n, err) < 0)
        return -1;
    *out = (int)n;
    return 0;
}

int attempt_file_read (const char *dir,
                       const struct attempt_place *place,
                       struct attempt_file *file,
                       struct error *err)
{
    char *path = attempt_path (dir, place, LAYOUT_ATTEMPT_FILE);
    struct json *v = json_read_file (path, err);
    struct attempt_file read = { .packing.nodes = 1 };
    struct packing *p = &read.packing;
    int rc = -1;

    if (!v)
        goto done;
    if (read_int (v, "slots", &p->slots, err) < 0
        || json_want_int (v, "per_element", &p->per_element, err) < 0
        || json_want_int (v, "elements", &p->elements, err) < 0
        || json_want_int (v, "chunks", &p->chunks, err) < 0
        || json_want_int (v, "per_chunk", &p->per_chunk, err) < 0
        || read_int (v, "cores", &p->cores, err) < 0
        || read_int (v, "gpus", &p->gpus, err) < 0
        || json_want_int (v, "memory_bytes", &p->memory_bytes, err) < 0
        || json_want_double (v, "walltime_s", &p->walltime_s, err) < 0
        || (json_get (v, "nodes") && read_int (v, "nodes", &p->nodes, err) < 0)
        || resources_from_json (json_get (v, "task"), &read.task, err) < 0) {
        error_prefix (err, "%s", path);
        goto done;
    }
    *file = read;
    rc = 0;
done:
    json_unref (v);
    free (path);
    return rc;
}
