/* SPDX-License-Identifier: BSD-3-Clause */
/* identity_index.c - which task of a generation has a given identity */
#include "base/base.h"

#include "arrays/task_range.h"
#include "base/digest.h"
#include "base/heartbeat.h"
#include "base/json.h"
#include "engine/act/identity_index.h"
#include "handover/slice_file.h"

enum { BATCH = 1024 };

static int digit (char c)
{
    return c >= 'a' ? c - 'a' + 10 : c - '0';
}

static void add (struct identity_index *index, const char *identity,
                 int32_t task)
{
    struct identity_entry *entry = &index->v[index->n];

    if (!identity || !digest_is_hex (identity))
        return;
    for (size_t i = 0; i < sizeof (entry->digest); i++)
        entry->digest[i] = (uint8_t)(digit (identity[2 * i]) << 4
                                     | digit (identity[2 * i + 1]));
    entry->task = task;
    index->n++;
}

static int compare (const void *x, const void *y)
{
    const struct identity_entry *a = x, *b = y;
    int order = memcmp (a->digest, b->digest, sizeof (a->digest));

    return order != 0 ? order : (a->task > b->task) - (a->task < b->task);
}

static int add_slices (struct identity_index *index, const char *dir,
                       int32_t tasks, const struct heartbeat *heartbeat,
                       struct error *err)
{
    int rc = 0;

    for (int32_t first = 0; rc == 0 && first < tasks; first += BATCH) {
        _cleanup_ (task_range_release) struct task_range batch =
            TASK_RANGE_INIT;
        struct json *slices[BATCH] = { 0 };

        heartbeat_send (heartbeat);
        for (int32_t t = first; t < tasks && t < first + BATCH; t++)
            task_range_add (&batch, t);
        rc = slice_file_read (dir, &batch, slices, err);
        for (int32_t i = 0; i < BATCH && first + i < tasks; i++) {
            if (rc == 0)
                add (index, slice_identity (slices[i], NULL), first + i);
            json_unref (slices[i]);
        }
    }
    return rc;
}

int identity_index_build (struct identity_index *index, const char *dir,
                          const struct json *manifest,
                          const struct heartbeat *heartbeat, struct error *err)
{
    int64_t tasks = json_get_int (manifest, "tasks");
    int rc = 0;

    if (tasks < 0 || tasks > TASK_MAX + 1)
        tasks = 0;
    index->v = xcalloc ((size_t)tasks + 1, sizeof (*index->v));
    index->n = 0;
    if (json_as_bool (json_get (manifest, "sliced")))
        rc = add_slices (index, dir, (int32_t)tasks, heartbeat, err);
    else
        add (index, json_get_string (manifest, "identity"), 0);
    qsort (index->v, index->n, sizeof (*index->v), compare);
    return rc;
}

void identity_index_release (struct identity_index *index)
{
    free (index->v);
    *index = (struct identity_index)IDENTITY_INDEX_INIT;
}

int32_t identity_index_take (struct identity_index *index, const char *identity)
{
    struct identity_entry wanted[1];
    struct identity_index one = { wanted, 0 };
    size_t low = 0, high = index->n;

    add (&one, identity, 0);
    if (one.n == 0)
        return -1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (memcmp (index->v[middle].digest, wanted[0].digest,
                    sizeof (wanted[0].digest))
            < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < index->n
           && memcmp (index->v[low].digest, wanted[0].digest,
                      sizeof (wanted[0].digest))
                  == 0;
         low++) {
        int32_t task = index->v[low].task;

        index->v[low].task = -1;
        if (task >= 0)
            return task;
    }
    return -1;
}
