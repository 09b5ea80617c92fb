/* SPDX-License-Identifier: BSD-3-Clause */
/* layout.c - the one place that spells a path of the data space */
#include "base/base.h"

#include "base/file.h"
#include "space/layout.h"

enum { WORD_MAX = 32 };

/* How long the word is that 'text' begins with; 0: it is none. */
static size_t word_length (const char *text)
{
    size_t len = strspn (text, "abcdefghijklmnopqrstuvwxyz0123456789_");

    return len <= WORD_MAX && text[0] >= 'a' && text[0] <= 'z' ? len : 0;
}

bool layout_stage_name_ok (const char *name)
{
    const char *rest = name;
    size_t len;

    while ((len = word_length (rest)) > 0 && rest[len] == '.')
        rest += len + 1;
    if (len == 0 || rest[len] != '\0' || strlen (name) > LAYOUT_STAGE_NAME_MAX)
        return false;
    return strcmp (name, LAYOUT_DATASET_DIR) != 0
           && strcmp (name, LAYOUT_CONFIG_DIR) != 0
           && strcmp (name, LAYOUT_KEPT_DIR) != 0
           && strcmp (name, LAYOUT_CALLS_DIR) != 0;
}

void layout_stage_dir (const struct stage_place *place, struct strbuf *path)
{
    strbuf_addf (path, "%s/%s/iter/%06d", place->stage, place->code,
                 place->iteration);
}

size_t layout_stage_dir_length (const char *path)
{
    static const char iter[] = "/iter/";
    const char *code = strchr (path, '/');
    const char *at = code ? strchr (code + 1, '/') : NULL;
    size_t digits;

    if (!at || strncmp (at, iter, strlen (iter)) != 0)
        return 0;
    at += strlen (iter);
    digits = strspn (at, "0123456789");
    return digits >= 6 && at[digits] == '/' ? (size_t)(at + digits - path) : 0;
}

void layout_stage_path (const struct stage_place *place, const char *name,
                        struct strbuf *path)
{
    layout_stage_dir (place, path);
    strbuf_addf (path, "/%s", name);
}

void layout_task_dir (const struct stage_place *place, int task,
                      struct strbuf *path)
{
    layout_stage_dir (place, path);
    strbuf_addf (path, "/" LAYOUT_TASK, task);
}

void layout_task_out (const struct stage_place *place, int task,
                      struct strbuf *path)
{
    layout_task_dir (place, task, path);
    strbuf_add_str (path, "/out");
}

void layout_dataset_dir (const char *format, int iteration, struct strbuf *path)
{
    strbuf_addf (path, LAYOUT_DATASET_DIR "/%s/iter/%06d", format, iteration);
}

void layout_config_file (int iteration, int number, struct strbuf *path)
{
    strbuf_addf (path, "config/iter/%06d/config", iteration);
    if (number > 0)
        strbuf_addf (path, ".%d", number);
    strbuf_add_str (path, ".json");
}

void layout_run (int generation, struct strbuf *path)
{
    strbuf_addf (path, LAYOUT_RUN_DIR "/%06d", generation);
}

void layout_run_attempt (int generation, int attempt, struct strbuf *path)
{
    layout_run (generation, path);
    strbuf_addf (path, "/%06d", attempt);
}

void layout_run_chunk (int generation, int attempt, int chunk,
                       struct strbuf *path)
{
    layout_run_attempt (generation, attempt, path);
    strbuf_addf (path, "/%06d", chunk);
}

void layout_input_copy (const char *sha256, const char *name,
                        struct strbuf *path)
{
    strbuf_addf (path, LAYOUT_INPUTS_DIR "/%.16s/%s", sha256, name);
}

void layout_programs (const char *sha256, struct strbuf *path)
{
    strbuf_addf (path, LAYOUT_PROGRAMS_DIR "/%.16s", sha256);
}

void layout_making_dir (int generation, struct strbuf *path)
{
    strbuf_addf (path, LAYOUT_MAKING_DIR "/%06d", generation);
}

void layout_publishing_dir (int64_t epoch, struct strbuf *path)
{
    strbuf_addf (path, LAYOUT_PUBLISHING_DIR "/%06" PRId64, epoch);
}

void layout_replaced_dir (int number, struct strbuf *path)
{
    strbuf_addf (path, LAYOUT_REPLACED_DIR "/%06d", number);
}

void layout_kept_dir (int number, struct strbuf *path)
{
    strbuf_addf (path, LAYOUT_KEPT_DIR "/%06d", number);
}

void layout_call_dir (const char *function, int number, struct strbuf *path)
{
    strbuf_addf (path, LAYOUT_CALLS_DIR "/%s/%06d", function, number);
}

char *layout_caller (const char *call_dir)
{
    _cleanup_free_ char *up = path_join (call_dir, LAYOUT_CALL_UP);
    char *dir = path_absolute (up);

    return dir;
}

void layout_workspace (const char *stage, int task, struct strbuf *path)
{
    strbuf_addf (path, LAYOUT_HIDDEN_DIR "/workspace/%s/%06d", stage, task);
}

void layout_journal_segment (int64_t epoch, struct strbuf *path)
{
    strbuf_addf (path, LAYOUT_JOURNAL_DIR "/%06" PRId64, epoch);
}

char *layout_installed (const char *program, const char *name)
{
    _cleanup_free_ char *path =
        xasprintf ("%.*s../share/fanfold/%s",
                   (int)(path_base (program) - program), program, name);

    return path_absolute (path);
}
