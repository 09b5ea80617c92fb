/* SPDX-License-Identifier: BSD-3-Clause */
/* calibrate.c - up to which score frames are accurate, by labels of some */
#include "base/base.h"

#include "base/json.h"
#include "commands/command.h"
#include "formats/lines.h"
#include "formats/number.h"
#include "formats/score_table.h"
#include "base/binomial.h"
#include "selection/calibration/calibration.h"

struct calibrating {
    const char *path;
    double target;
    struct calibration_promise promise;
    struct score_table table;
    struct calibration calibration;
};

/* What is printed. */
struct answer {
    const struct score_point *level; /* NULL: there is none */
    struct score_point all;
    struct left_out left_out;
    uint64_t labels_needed; /* 0: no number */
    double least_target;    /* NAN: none */
};

/* --- what is asked for --- */

static enum exit_status read_share (const struct invocation *invocation,
                                    const char *name, double *value)
{
    const char *text = invocation_option (invocation, name);
    double share = 0;
    const char *end;

    if (!text)
        return STATUS_DONE;
    end = number_read (text, text + strlen (text), &share);
    if (!end || *end != '\0' || !(share > 0 && share < 1))
        return complain (STATUS_USAGE,
                         "--%s %s: write a number between 0 and 1, as 0.9",
                         name, text);
    *value = share;
    return STATUS_DONE;
}

static enum exit_status read_target (const struct invocation *invocation,
                                     double *target)
{
    const char *text = invocation_option (invocation, "target");
    double value = -1;
    const char *end = number_read (text, text + strlen (text), &value);

    if (!end || *end != '\0' || !(value >= 0 && isfinite (value)))
        return complain (STATUS_USAGE,
                         "--target %s: write the largest error that is right, "
                         "in the unit of the table",
                         text);
    *target = value;
    return STATUS_DONE;
}

static enum exit_status read_options (const struct invocation *invocation,
                                      struct calibrating *calibrating)
{
    struct calibration_promise *promise = &calibrating->promise;
    enum exit_status status;

    if (!invocation_option (invocation, "target")
        || !invocation_option (invocation, "coverage"))
        return complain (STATUS_USAGE,
                         "say which error is right by --target, and how many "
                         "of the accurate frames are to be by --coverage");
    status = read_target (invocation, &calibrating->target);
    if (status == STATUS_DONE)
        status = read_share (invocation, "coverage", &promise->coverage);
    if (status == STATUS_DONE)
        status = read_share (invocation, "confidence", &promise->confidence);
    return status;
}

static int read_table (struct calibrating *calibrating, struct error *err)
{
    _cleanup_ (lines_close) struct lines lines = LINES_INIT;

    if (lines_open (&lines, calibrating->path, 0, err) < 0
        || score_table_read (&lines, &calibrating->table, err) < 0)
        return -1;
    if (calibrating->table.n == 0)
        return error_set (err, "%s: there are no frames in it",
                          calibrating->path);
    return 0;
}

/* --- the answer --- */

static struct answer find_answer (struct calibrating *calibrating)
{
    struct calibration *c = &calibrating->calibration;
    struct answer answer = { .all = { .score = NAN } };

    calibration_init (c, &calibrating->promise, calibrating->target,
                      calibrating->table.frames, calibrating->table.n);
    answer.all = c->points[c->n_points - 1];
    answer.level = calibration_level (c);
    answer.left_out = calibration_leave_one_out (c);
    answer.labels_needed = calibration_labels_needed (c);
    answer.least_target = calibration_least_target (c);
    return answer;
}

static void print_answer_json (const struct answer *answer)
{
    _cleanup_json_ struct json *v = json_object ();
    const struct score_point *level = answer->level;

    json_set (v, "low", level ? json_real (level->score) : json_null ());
    json_set (v, "n", json_int ((int64_t)answer->all.labelled));
    json_set (v, "wrong_below",
              level ? json_int ((int64_t)level->wrong) : json_null ());
    json_set (v, "labels_needed",
              answer->labels_needed > 0
                  ? json_int ((int64_t)answer->labels_needed)
                  : json_null ());
    json_set (v, "least_target", json_real (answer->least_target));
    print_json (v);
}

static uint64_t unlabelled (const struct score_point *point)
{
    return point->frames - point->labelled;
}

static void print_level (const struct calibrating *calibrating,
                         const struct answer *answer)
{
    const struct calibration_promise *promise = &calibrating->promise;
    const struct score_point *level = answer->level;

    printf ("low %.6g: %" PRIu64 " of %" PRIu64 " frames without a label are "
            "accurate; at most %.6g %% of them are wrong by more than %.6g, ",
            level->score, unlabelled (level), unlabelled (&answer->all),
            100 * (1 - promise->coverage), calibrating->target);
    if (promise->confidence > 0)
        printf ("with %.6g %% confidence\n", 100 * promise->confidence);
    else
        printf ("on average over draws of labels\n");
}

static void print_left_out (const struct left_out *left_out)
{
    struct share_interval interval =
        clopper_pearson (left_out->right, left_out->accurate, 0.9);

    if (left_out->accurate > 0)
        printf ("of labelled frames that the level by all others calls "
                "accurate, %" PRIu64 " of %" PRIu64 " are right: between %.1f "
                "and %.1f %% (90 %% interval)\n",
                left_out->right, left_out->accurate, 100 * interval.least,
                100 * interval.most);
}

/* What to do if there is no level. */
static void print_labels_needed (const struct calibrating *calibrating,
                                 const struct answer *answer)
{
    uint64_t needed = answer->labels_needed, labelled = answer->all.labelled;

    if (unlabelled (&answer->all) == 0 && calibrating->promise.confidence == 0)
        printf ("add the frames without a label: a level is found for them\n");
    else if (needed == 0)
        printf ("more labels do not give one while as many are wrong\n");
    else if (needed > answer->all.frames)
        printf ("%" PRIu64 " labels are needed, and there are %" PRIu64
                " frames\n",
                needed, answer->all.frames);
    else
        printf ("label %" PRIu64 " more (%" PRIu64 " in all), drawn evenly at "
                "random; that is enough if %s\n",
                needed - labelled, needed,
                labelled > 0 ? "the same share of them is wrong"
                             : "none is wrong");
}

static void print_no_level (const struct calibrating *calibrating,
                            const struct answer *answer)
{
    uint64_t labelled = answer->all.labelled;

    printf ("no level: %" PRIu64 " frame%s labelled, %" PRIu64
            " of them wrong by more than %.6g\n",
            labelled, labelled == 1 ? " is" : "s are", answer->all.wrong,
            calibrating->target);
    print_labels_needed (calibrating, answer);
    if (!isnan (answer->least_target))
        printf ("or ask for a target of %.6g or more, or for less coverage\n",
                answer->least_target);
    else if (labelled > 0)
        printf ("no target has a level by these labels; ask for less "
                "coverage\n");
}

static void print_answer (const struct calibrating *calibrating,
                          const struct answer *answer)
{
    if (!answer->level) {
        print_no_level (calibrating, answer);
        return;
    }
    print_level (calibrating, answer);
    print_left_out (&answer->left_out);
    printf ("these labels give a level for a target of %.6g or more\n",
            answer->least_target);
}

static enum exit_status calibrate (const struct invocation *invocation)
{
    struct calibrating calibrating = { .path = invocation->args[0] };
    struct error err = ERROR_INIT;
    enum exit_status status = read_options (invocation, &calibrating);

    if (status == STATUS_DONE && read_table (&calibrating, &err) < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    if (status == STATUS_DONE) {
        struct answer answer = find_answer (&calibrating);

        if (invocation_option (invocation, "json"))
            print_answer_json (&answer);
        else
            print_answer (&calibrating, &answer);
    }
    calibration_release (&calibrating.calibration);
    score_table_release (&calibrating.table);
    return status;
}

static const struct command_option options[] = {
    { "target", "T", "call a frame wrong if its error is above T" },
    { "coverage", "C",
      "have at least this share of the accurate frames right, as 0.9" },
    { "confidence", "P",
      "have it with this probability for the labels that were drawn, as 0.95 "
      "(default: on average over draws)" },
    { "json", NULL,
      "print {\"low\", \"n\", \"wrong_below\", \"labels_needed\", "
      "\"least_target\"}" },
    { 0 },
};

const struct command calibrate_command = {
    .name = "calibrate",
    .arguments = "TABLE",
    .summary = "find the score up to which frames are accurate enough, by "
               "labels of some",
    .min_args = 1,
    .max_args = 1,
    .options = options,
    .run = calibrate,
};
