/* SPDX-License-Identifier: BSD-3-Clause */
/* explain_file_json.c - the chain of tasks behind a file, for programs */
#include "base/base.h"

#include "base/json.h"
#include "commands/explain_file.h"
#include "commands/lineage_left.h"
#include "commands/lineage.h"

static struct json *stage_json (const struct lineage *lineage,
                                const struct lineage_stage *stage)
{
    static const char *const keys[] = { "operator", "version", "identity",
                                        "parts",    "tasks",   "values" };
    struct json *v = json_object ();
    _cleanup_json_ struct json *collected = lineage_collected (stage);
    struct json *witness = lineage_file (stage, LAYOUT_WITNESS);

    if (strcmp (stage->dir, lineage->dir) != 0)
        json_set (v, "campaign", json_string (stage->dir));
    json_set (v, "stage", json_string (stage->stage));
    json_set (v, "code", json_string (stage->code));
    json_set (v, "iteration", json_int (stage->iteration));
    for (size_t i = 0; i < ARRAY_SIZE (keys); i++)
        json_set_from (v, keys[i], stage->manifest);
    json_set (
        v, "from",
        lineage_makers (lineage, stage, json_get (stage->manifest, "values")));
    json_set_from (v, "sources", stage->bindings);
    if (json_count (collected) > 0)
        json_set (v, "collected", json_ref (collected));
    if (witness)
        json_set (v, "witness", json_ref (witness));
    json_unref (witness);
    if (stage->removed)
        json_set (v, "removed", json_ref (stage->removed));
    return v;
}

static struct json *one_task_json (const struct lineage *lineage,
                                   const struct lineage_stage *stage, int task)
{
    static const char *const keys[] = { "identity",  "seed", "params",
                                        "artifacts", "run",  "reused" };
    struct json *v = json_object ();
    _cleanup_json_ struct json *left = lineage_left (stage, task);
    _cleanup_json_ struct json *slice = lineage_slice (stage, task);

    json_set (v, "task", json_int (task));
    for (size_t i = 0; i < ARRAY_SIZE (keys); i++)
        json_set_from (v, keys[i], left);
    if (slice) {
        json_set (v, "from", lineage_makers (lineage, stage, slice));
        json_set (v, "inputs", json_ref (slice));
    }
    return v;
}

static void print_compact (const char *before, const struct json *v)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    json_dump (v, JSON_COMPACT, &text);
    printf ("%s%s", before, text.buf);
}

/* Piece by piece: there may be very many tasks. */
static void print_stage_json (const struct lineage *lineage,
                              const struct lineage_stage *stage)
{
    struct json *v = stage_json (lineage, stage);
    const char *between = "\n   ";

    print_compact ("  {\"of\": ", v);
    json_unref (v);
    printf (",\n   \"tasks\": [");
    for (int32_t t = -1; (t = task_range_next (&stage->tasks, t)) >= 0;) {
        v = one_task_json (lineage, stage, t);
        print_compact (between, v);
        between = ",\n   ";
        json_unref (v);
    }
    printf ("]}");
}

void explain_file_json (const struct lineage *lineage, const char *path)
{
    struct json *name = json_string (path);

    print_compact ("{\"format\": 1, \"file\": ", name);
    json_unref (name);
    printf (",\n \"stages\": [");
    for (size_t i = 0; i < lineage->n; i++) {
        printf (i > 0 ? ",\n" : "\n");
        print_stage_json (lineage, &lineage->stages[i]);
    }
    print_compact ("],\n \"files\": ", lineage->files);
    printf ("}\n");
}
