/* SPDX-License-Identifier: BSD-3-Clause */
/* check_taking.c - results that are taken of another campaign */
#include "base/base.h"

#include "arrays/task_range.h"
#include "base/file.h"
#include "base/json.h"
#include "check.h"
#include "check_taking.h"
#include "disk.h"
#include "engine/history/state.h"
#include "scenario.h"
#include "space/layout.h"
#include "world.h"

#define REPLACED SCENARIO_DIR "/" LAYOUT_HIDDEN_DIR "/replaced"

/* --- the other campaign --- */

struct copying {
    const struct disk *disk;
    struct json *files;
};

/* A string; of what no string can hold a list of its bytes. */
static struct json *bytes_json (const struct strbuf *bytes)
{
    struct json *list;

    if (strlen (bytes->buf) == bytes->len && json_is_text (bytes->buf))
        return json_string (bytes->buf);
    list = json_array ();
    for (size_t i = 0; i < bytes->len; i++)
        json_push (list, json_int ((unsigned char)bytes->buf[i]));
    return list;
}

static void put_file (struct disk *disk, const char *path,
                      const struct json *bytes)
{
    struct strbuf text = STRBUF_INIT;

    strbuf_add_str (&text, json_as_string (bytes));
    for (size_t i = 0; i < json_count (bytes); i++)
        strbuf_add_char (&text, (char)json_as_int (json_at (bytes, i)));
    disk_put_bytes (disk, path, text.buf, text.len);
    strbuf_release (&text);
}

static void copy_file (const char *path, void *arg)
{
    const struct copying *copying = arg;
    struct strbuf text = STRBUF_INIT;

    disk_get (copying->disk, path, &text);
    json_set (copying->files, path + strlen (SCENARIO_DIR "/"),
              bytes_json (&text));
    strbuf_release (&text);
}

struct json *source_copy (const struct disk *disk)
{
    struct copying copying = { disk, json_object () };

    disk_each_file (disk, SCENARIO_DIR, copy_file, &copying);
    return copying.files;
}

/* A directory without campaign.yaml is no campaign. */
static void empty (struct disk *disk)
{
    disk_remove_tree (disk, SCENARIO_SOURCE);
    disk_put (disk, SCENARIO_SOURCE "/campaign.yaml", "format: 1\n");
}

void source_put (struct check *check, size_t i)
{
    struct disk *disk = check->world->disk;

    empty (disk);
    JSON_FOREACH (json_at (check->sources, i), it) {
        char *path = path_join (SCENARIO_SOURCE, json_iter_key (it));

        put_file (disk, path, json_iter_value (it));
        free (path);
    }
    check->was_source |= 1U << i;
}

/* --- what is taken --- */

static struct json *parse (const char *text)
{
    return *text ? json_parse (text, strlen (text), "", NULL) : NULL;
}

static struct json *read_json (const struct check *check, const char *dir,
                               const char *name)
{
    struct strbuf text = STRBUF_INIT;
    char *path = path_join (dir, name);
    struct json *v;

    disk_get (check->world->disk, path, &text);
    v = parse (text.buf);
    strbuf_release (&text);
    free (path);
    return v;
}

/* In the copy 'source', of the generation in 'dir'; "": there is none. */
static const char *text_of (const struct json *source, const char *dir,
                            const char *name)
{
    char *path = path_join (dir, name);
    const char *text = json_get_string (source, path);

    free (path);
    return text;
}

/* Was it finished there, and was the same seen of it as of ours? */
static bool fits (const struct json *source, const char *dir,
                  const struct json *ours)
{
    static const char *const seen[] = { "files", "setup", "env", "image" };
    struct json *theirs = parse (text_of (source, dir, LAYOUT_WITNESS));
    bool same = theirs && !json_get (theirs, "unsteady")
                && *text_of (source, dir, LAYOUT_OUTPUTS);

    for (size_t i = 0; same && i < ARRAY_SIZE (seen); i++)
        same = json_equal (json_get (theirs, seen[i]), json_get (ours, seen[i]))
               || (!json_get (theirs, seen[i]) && !json_get (ours, seen[i]));
    json_unref (theirs);
    return same;
}

/* The place of the origin 'of', within its campaign. */
static void place_of (const struct json *of, const char *code,
                      struct strbuf *dir)
{
    const struct stage_place place = {
        .stage = json_get_string (of, "stage"),
        .code = code,
        .iteration = (int)json_get_int (of, "iteration"),
    };

    layout_stage_dir (&place, dir);
}

static void check_origin (struct check *check, const struct json *of,
                          const char *code, const struct json *witness)
{
    struct strbuf dir = STRBUF_INIT;
    bool fitted = false;

    place_of (of, code, &dir);
    for (size_t i = 0; i < json_count (check->sources); i++)
        fitted |= (check->was_source >> i & 1)
                  && fits (json_at (check->sources, i), dir.buf, witness);
    if (!fitted || strcmp (json_get_string (of, "campaign"), SCENARIO_SOURCE))
        check_fail (check, "results are taken of '%s' of '%s', which never fit",
                    dir.buf, json_get_string (of, "campaign"));
    strbuf_release (&dir);
}

/* Was this task ok when its stage ended there? */
static bool is_ok (const struct json *source, const char *dir, int32_t task)
{
    struct json *outputs = parse (text_of (source, dir, LAYOUT_OUTPUTS));
    struct task_range ok = TASK_RANGE_INIT;
    bool is = task_range_parse (json_get_string (outputs, "ok"), &ok, NULL) == 0
              && task_range_contains (&ok, task);

    task_range_release (&ok);
    json_unref (outputs);
    return is;
}

/* Has any source that was there, and fits, these bytes of this task? */
static bool is_copy (const struct check *check, const char *dir, int32_t task,
                     const char *made, const struct json *witness)
{
    char *file = xasprintf (LAYOUT_JOBS "/%06d/" LAYOUT_OUT "/made", (int)task);
    bool is = false;

    for (size_t i = 0; i < json_count (check->sources); i++) {
        const struct json *source = json_at (check->sources, i);

        is = is
             || ((check->was_source >> i & 1) && fits (source, dir, witness)
                 && is_ok (source, dir, task)
                 && strcmp (text_of (source, dir, file), made) == 0);
    }
    free (file);
    return is;
}

static void check_bytes (struct check *check, const char *out,
                         const struct json *of, const char *code,
                         const struct json *witness)
{
    struct strbuf dir = STRBUF_INIT, bytes = STRBUF_INIT;
    char *made = path_join (out, "made");
    int32_t task = (int32_t)json_get_int (of, "task");

    place_of (of, code, &dir);
    if (disk_get (check->world->disk, made, &bytes) == 0
        && !is_copy (check, dir.buf, task, bytes.buf, witness))
        check_fail (check, "'%s' was taken, and is not of task %d of '%s'",
                    made, (int)task, dir.buf);
    strbuf_release (&bytes);
    strbuf_release (&dir);
    free (made);
}

/* Results with files: each of one task, by its result.json. */
static void check_tasks (struct check *check, const char *dir,
                         const struct json *event, const char *code,
                         const struct json *witness)
{
    struct json *taken = json_object ();

    for (int t = 0; t < (int)json_get_int (event, "tasks"); t++) {
        char *out = xasprintf ("%s/" LAYOUT_JOBS "/%06d/" LAYOUT_OUT, dir, t);
        struct json *result = read_json (check, out, LAYOUT_RESULT_FILE);
        const struct json *of = json_get (result, "reused");

        if (of) {
            struct strbuf key = STRBUF_INIT;

            json_dump (of, JSON_SORTED, &key);
            if (json_get (taken, key.buf))
                check_fail (check, "%s was taken twice, for '%s', too", key.buf,
                            out);
            json_set (taken, key.buf, json_bool (true));
            check_bytes (check, out, of, code, witness);
            strbuf_release (&key);
        }
        json_unref (result);
        free (out);
    }
    json_unref (taken);
}

void check_taken (struct check *check, const struct state *state,
                  const struct json *event)
{
    const struct json *reused = json_get (event, "reused");
    const char *code = json_get_string (event, "code");
    struct strbuf dir = STRBUF_INIT;
    struct json *manifest;

    if (!reused || strcmp (json_get_string (event, "ev"), "prepared") != 0)
        return;
    strbuf_add_str (&dir, SCENARIO_DIR "/");
    layout_stage_dir (
        &(struct stage_place){ .stage = json_get_string (event, "stage"),
                               .code = code,
                               .iteration = state_iteration (state) },
        &dir);
    manifest = read_json (check, dir.buf, LAYOUT_STAGE_MANIFEST);
    for (size_t i = 0; i < json_count (reused); i++)
        check_origin (check, json_at (reused, i), code,
                      json_get (manifest, "witness"));
    check_tasks (check, dir.buf, event, code, json_get (manifest, "witness"));
    check->taken += (int64_t)json_count (reused);
    json_unref (manifest);
    strbuf_release (&dir);
}

/* --- the end --- */

/* What is linked to it would change with it. */
static void scramble (const char *path, void *arg)
{
    disk_put (arg, path, "scrambled");
}

void check_taken_end (struct check *check)
{
    struct disk *disk = check->world->disk;
    struct json *before = source_copy (disk), *after;

    disk_each_file (disk, SCENARIO_SOURCE, scramble, disk);
    empty (disk);
    disk_remove_tree (disk, REPLACED);
    after = source_copy (disk);
    JSON_FOREACH (before, it) {
        const char *path = json_iter_key (it);

        if (strncmp (path, LAYOUT_HIDDEN_DIR "/replaced/",
                     strlen (LAYOUT_HIDDEN_DIR "/replaced/"))
                != 0
            && !json_equal (json_iter_value (it), json_get (after, path)))
            check_fail (check, "'%s' changes with what it was taken from",
                        path);
    }
    json_unref (before);
    json_unref (after);
}
