/* SPDX-License-Identifier: BSD-3-Clause */
/* run_dir.c - where a DP-GEN run stands, read from its directory */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "import/run_dir.h"
#include "import/run_labels.h"

enum {
    RECORD_MAX_BYTES = 1 << 20,
    ITERATIONS_MAX = 1000000,
    STAGE_TRAINED = 2,   /* post_train */
    STAGE_EXPLORED = 5,  /* post_model_devi */
    STAGE_LABELLING = 6, /* make_fp */
    STAGE_LABELLED = 8,  /* post_fp */
};

struct run_dir {
    char *dir;
    const struct draft *draft;
    int64_t iteration, stage; /* the last that is done */
};

/* --- record.dpgen --- */

static int read_record (struct run_dir *run, struct error *err)
{
    _cleanup_free_ char *path = path_join (run->dir, "record.dpgen");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    int rc = file_read (path, RECORD_MAX_BYTES, &text, err);

    if (rc < 0) {
        error_prefix (err, "no directory of a DP-GEN run");
        return rc;
    }
    strvec_split (&lines, text.buf, "\r\n");
    if (lines.n > 0)
        strvec_split (&words, lines.v[lines.n - 1], " \t");
    rc = -1;
    if (words.n == 2) {
        char *end[2];

        run->iteration = strtoll (words.v[0], &end[0], 10);
        run->stage = strtoll (words.v[1], &end[1], 10);
        rc = *end[0] || *end[1] || run->iteration < 0
                     || run->iteration > ITERATIONS_MAX || run->stage < 0
                     || run->stage > STAGE_LABELLED
                 ? -1
                 : 0;
    }
    if (rc < 0)
        error_set (err,
                   "%s:%zu: the last line is not 'ITERATION STAGE'; stop "
                   "DP-GEN and correct it, then import again",
                   path, lines.n);
    return rc;
}

/* --- what is there --- */

/* The directory of one of its stages, "DIR/iter.000002/00.train". */
static char *stage_dir (const struct run_dir *run, int64_t iteration,
                        const char *stage)
{
    return xasprintf ("%s/iter.%06lld/%s", run->dir, (long long)iteration,
                      stage);
}

/* The sets that post_fp made: 02.fp/data.SSS. */
static int add_data (const struct run_dir *run, int64_t iteration,
                     struct json *data, struct error *err)
{
    _cleanup_free_ char *dir = stage_dir (run, iteration, "02.fp");
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    struct error said = ERROR_INIT;
    int rc = file_list_dir (dir, &names, &said);

    if (rc < 0)
        rc = error_is_absence (&said) ? 0 : error_copy (err, &said);
    for (size_t i = 0; i < names.n; i++) {
        _cleanup_free_ char *path = path_join (dir, names.v[i]);

        if (strncmp (names.v[i], "data.", 5) == 0)
            json_push (data, draft_named (run->draft, path));
    }
    return rc;
}

static bool has_checkpoint (const char *dir)
{
    static const char *const names[] = { "model.ckpt.index", "model.ckpt.pt",
                                         "model.ckpt.jax" };
    bool there = false;

    for (size_t i = 0; i < ARRAY_SIZE (names) && !there; i++) {
        _cleanup_free_ char *path = path_join (dir, names[i]);

        there = file_exists (path);
    }
    return there;
}

/* [directory with a checkpoint] of an iteration; NULL: it has none. */
static struct json *checkpoints_of (const struct run_dir *run,
                                    int64_t iteration)
{
    char *dir = stage_dir (run, iteration, "00.train");
    struct json *list = json_array ();

    for (int k = 0;; k++) {
        char *path = xasprintf ("%s/%03d", dir, k);
        bool there = has_checkpoint (path);

        if (there)
            json_push (list, draft_named (run->draft, path));
        free (path);
        if (!there)
            break;
    }
    free (dir);
    if (json_count (list) > 0)
        return list;
    json_unref (list);
    return NULL;
}

/* [graph.NNN.pb] of an iteration. */
static struct json *graphs_of (const struct run_dir *run, int64_t iteration)
{
    static const char *const endings[] = { "pb", "pth", "savedmodel" };
    _cleanup_free_ char *dir = stage_dir (run, iteration, "00.train");
    struct json *list = json_array ();

    for (size_t e = 0; e < ARRAY_SIZE (endings) && json_count (list) == 0;
         e++) {
        for (int k = 0;; k++) {
            char *path = xasprintf ("%s/graph.%03d.%s", dir, k, endings[e]);
            bool there = file_exists (path);

            if (there)
                json_push (list, draft_named (run->draft, path));
            free (path);
            if (!there)
                break;
        }
    }
    return list;
}

/* Of the last iteration that trained: one that copied its models has none. */
static void find_models (const struct run_dir *run, struct dpgen_progress *out)
{
    int64_t last =
        run->stage >= STAGE_TRAINED ? run->iteration : run->iteration - 1;

    for (int64_t i = last; i >= 0 && !out->models; i--)
        out->models = checkpoints_of (run, i);
}

/* --- where it goes on --- */

static void go_on (const struct run_dir *run, struct draft *draft,
                   struct dpgen_progress *out)
{
    bool explored = run->stage >= STAGE_EXPLORED;

    struct json *graphs =
        graphs_of (run, run->iteration - (run->stage < STAGE_TRAINED ? 1 : 0));

    out->first_job = run->iteration + (run->stage >= STAGE_LABELLING);
    if (json_count (graphs) > 0)
        out->potentials = json_ref (graphs);
    json_unref (graphs);
    out->trained = out->potentials && run->stage >= STAGE_TRAINED
                   && run->stage < STAGE_LABELLING;
    draft_remark (draft,
                  "%s/record.dpgen: iteration %lld has done stage %lld; the "
                  "campaign begins with model_devi_jobs[%lld]%s",
                  run->dir, (long long)run->iteration, (long long)run->stage,
                  (long long)out->first_job,
                  out->trained ? ", explored with the models that are "
                                 "trained"
                               : "");
    if (explored && run->stage < STAGE_LABELLING)
        draft_remark (draft,
                      "the exploration of iteration %lld is done and not "
                      "selected from: it is explored again",
                      (long long)run->iteration);
}

int run_dir_read (const char *dir, struct draft *draft,
                  struct dpgen_progress *out, struct error *err)
{
    struct run_dir run = { .dir = path_absolute (dir), .draft = draft };
    int rc = read_record (&run, err);

    *out = (struct dpgen_progress){ .data = json_array () };
    /* Of the last only where post_fp is done: it may be half of the sets. */
    for (int64_t i = 0;
         rc == 0 && i < run.iteration + (run.stage == STAGE_LABELLED); i++)
        rc = add_data (&run, i, out->data, err);
    if (rc == 0) {
        find_models (&run, out);
        go_on (&run, draft, out);
    }
    if (rc == 0 && run.stage >= STAGE_LABELLING && run.stage < STAGE_LABELLED) {
        _cleanup_free_ char *fp = stage_dir (&run, run.iteration, "02.fp");

        rc = run_labels_take (fp, draft, out->data, err);
    }
    free (run.dir);
    return rc;
}

void dpgen_progress_release (struct dpgen_progress *progress)
{
    json_unref (progress->data);
    json_unref (progress->models);
    json_unref (progress->potentials);
    *progress = (struct dpgen_progress){ .data = NULL };
}
