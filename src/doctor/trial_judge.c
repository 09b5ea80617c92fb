/* SPDX-License-Identifier: BSD-3-Clause */
/* trial_judge.c - what a directory's abilities mean, and as JSON (pure) */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/findings.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "doctor/trial.h"

static const uint64_t least_bytes = (uint64_t)64 << 20;
static const uint64_t enough_bytes = (uint64_t)4 << 30;
enum { LEAST_INODES = 1000, ENOUGH_INODES = 100000 };

/* Nothing is decided by comparing clocks; people and make(1) do that. */
static const double clock_matters_s = 5;

static const struct {
    const char *name;
    enum grade grade; /* of its failure */
    const char *advice;
} abilities[ABILITY_COUNT] = {
    [ABILITY_EXCLUSIVE] = { "exclusive creation", GRADE_BAD,
                            "keep the campaign on another file system: tasks "
                            "could take effect twice here" },
    [ABILITY_LINK] = { "hard links", GRADE_BAD,
                       "keep the campaign on another file system: two drivers "
                       "could not be told apart here" },
    [ABILITY_RENAME] = { "renaming", GRADE_BAD,
                         "keep the campaign on another file system: files "
                         "could be seen half written here" },
    [ABILITY_SYNC] = { "fsync", GRADE_BAD,
                       "keep the campaign on another file system: a crash "
                       "could take back what was decided here" },
    [ABILITY_APPEND] = { "appending", GRADE_BAD,
                         "keep the campaign on another file system: the "
                         "journal could not be written here" },
    [ABILITY_LOCK] = { "locks", GRADE_WARNING,
                       "nothing for Fanfold, which does not need them; "
                       "programs that do (HDF5, SQLite) fail here: for HDF5 "
                       "set HDF5_USE_FILE_LOCKING=FALSE in `setup`" },
};

static void judge_abilities (const struct trial *trial,
                             const char *where,
                             struct findings *findings)
{
    bool all = true;

    for (int a = 0; a < ABILITY_COUNT; a++) {
        if (!trial->failure[a][0])
            continue;
        all = false;
        findings_add (findings, abilities[a].grade, where, abilities[a].advice,
                      "%s: %s (%s)", abilities[a].name, trial->failure[a],
                      trial->fs.type);
    }
    if (all)
        findings_add (findings, GRADE_GOOD, where, NULL,
                      "exclusive creation, links, renaming, fsync, appending "
                      "and locks work (%s)",
                      trial->fs.type);
}

static void judge_room (const struct trial *trial,
                        const char *where,
                        struct findings *findings)
{
    const struct file_system *fs = &trial->fs;
    bool counted = fs->inodes > 0;
    struct strbuf room = STRBUF_INIT;
    enum grade grade = GRADE_GOOD;

    format_bytes ((int64_t)fs->free_bytes, &room);
    if (counted)
        strbuf_addf (&room, " and %llu inodes",
                     (unsigned long long)fs->free_inodes);
    if (fs->free_bytes < enough_bytes
        || (counted && fs->free_inodes < ENOUGH_INODES))
        grade = GRADE_WARNING;
    if (fs->free_bytes < least_bytes
        || (counted && fs->free_inodes < LEAST_INODES))
        grade = GRADE_BAD;
    findings_add (findings, grade, where,
                  grade == GRADE_GOOD ? NULL
                                      : "make room there, or keep the "
                                        "campaign on another file system",
                  "%s free", room.buf);
    strbuf_release (&room);
}

static void judge_clock (const struct trial *trial,
                         const char *where,
                         struct findings *findings)
{
    double ahead_s = trial->file_ahead_s;

    if (fabs (ahead_s) >= clock_matters_s)
        findings_add (findings, GRADE_WARNING, where,
                      "nothing for Fanfold, which compares no clocks; tell the "
                      "administrators",
                      "the file server's clock is %.0f s %s this host's",
                      fabs (ahead_s), ahead_s > 0 ? "before" : "behind");
}

void trial_judge (const struct trial *trial,
                  const char *where,
                  struct findings *findings)
{
    judge_abilities (trial, where, findings);
    judge_room (trial, where, findings);
    judge_clock (trial, where, findings);
}

/* --- JSON --- */

static const char *const reaches[] = { [REACH_UNKNOWN] = "unknown",
                                       [REACH_LOCAL] = "local",
                                       [REACH_SHARED] = "shared" };

struct json *trial_to_json (const struct trial *trial)
{
    struct json *v = json_object ();
    struct json *failures = json_array ();

    for (int a = 0; a < ABILITY_COUNT; a++)
        json_push (failures, json_string (trial->failure[a]));
    json_set (v, "type", json_string (trial->fs.type));
    json_set (v, "reach", json_string (reaches[trial->fs.reach]));
    json_set (v, "free_bytes", json_int ((int64_t)trial->fs.free_bytes));
    json_set (v, "size_bytes", json_int ((int64_t)trial->fs.size_bytes));
    json_set (v, "free_inodes", json_int ((int64_t)trial->fs.free_inodes));
    json_set (v, "inodes", json_int ((int64_t)trial->fs.inodes));
    json_set (v, "failures", failures);
    json_set (v, "file_ahead_s", json_real (trial->file_ahead_s));
    return v;
}

static int want_amount (const struct json *v,
                        const char *key,
                        uint64_t *out,
                        struct error *err)
{
    int64_t n;

    if (json_want_int (v, key, &n, err) < 0)
        return -1;
    if (n < 0)
        return error_set (err, "key '%s': out of range", key);
    *out = (uint64_t)n;
    return 0;
}

static int read_failures (const struct json *v,
                          struct trial *trial,
                          struct error *err)
{
    struct json *failures;

    if (json_want_array (v, "failures", &failures, err) < 0)
        return -1;
    if (json_count (failures) != ABILITY_COUNT)
        return error_set (err, "key 'failures': expected %d", ABILITY_COUNT);
    for (int a = 0; a < ABILITY_COUNT; a++)
        snprintf (trial->failure[a], sizeof (trial->failure[a]), "%s",
                  json_as_string (json_at (failures, (size_t)a)));
    return 0;
}

int trial_from_json (const struct json *v,
                     struct trial *trial,
                     struct error *err)
{
    struct trial read = { 0 };
    const char *type, *reach;

    if (json_want_string (v, "type", &type, err) < 0
        || json_want_string (v, "reach", &reach, err) < 0
        || want_amount (v, "free_bytes", &read.fs.free_bytes, err) < 0
        || want_amount (v, "size_bytes", &read.fs.size_bytes, err) < 0
        || want_amount (v, "free_inodes", &read.fs.free_inodes, err) < 0
        || want_amount (v, "inodes", &read.fs.inodes, err) < 0
        || json_want_double (v, "file_ahead_s", &read.file_ahead_s, err) < 0
        || read_failures (v, &read, err) < 0)
        return -1;
    snprintf (read.fs.type, sizeof (read.fs.type), "%s", type);
    for (size_t i = 0; i < ARRAY_SIZE (reaches); i++) {
        if (strcmp (reaches[i], reach) == 0)
            read.fs.reach = (enum file_system_reach)i;
    }
    *trial = read;
    return 0;
}
