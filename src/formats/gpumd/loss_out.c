/* SPDX-License-Identifier: BSD-3-Clause */
/* loss_out.c - the learning curve that GPUMD's nep writes */
#include "base/base.h"

#include "base/json.h"
#include "formats/gpumd/loss_out.h"
#include "formats/lines.h"
#include "formats/number.h"

/* With the generation. */
enum { COLUMNS_MAX = 14, DECIMALS = 5 };

static const char *const of_potential[] = {
    "loss",   "loss_l1",    "loss_l2",    "rmse_e",     "rmse_f",
    "rmse_v", "rmse_e_val", "rmse_f_val", "rmse_v_val",
};
static const char *const of_charges[] = {
    "loss",       "loss_l1",         "loss_l2",      "rmse_e",     "rmse_f",
    "rmse_v",     "rmse_charge",     "rmse_bec",     "rmse_e_val", "rmse_f_val",
    "rmse_v_val", "rmse_charge_val", "rmse_bec_val",
};
static const char *const of_tensors[] = {
    "loss", "loss_l1", "loss_l2", "rmse", "rmse_val",
};

static const struct {
    size_t n; /* columns, without the generation */
    const char *const *names;
} shapes[] = {
    { ARRAY_SIZE (of_potential), of_potential },
    { ARRAY_SIZE (of_charges), of_charges },
    { ARRAY_SIZE (of_tensors), of_tensors },
};

struct row {
    int64_t generation;
    double values[COLUMNS_MAX];
    size_t n;
    const char *const *names;
};

/* Where a number ends: it has five decimals, or is none. */
static const char *number_end (const char *at, const char *end)
{
    while (at < end && *at != '.' && !isspace ((unsigned char)*at))
        at++;
    if (at < end && *at == '.')
        at++;
    for (int i = 0; i < DECIMALS && at < end && isdigit ((unsigned char)*at);
         i++)
        at++;
    return at;
}

static bool take_value (struct lines *lines, double *value)
{
    const char *stop;

    while (lines->at < lines->end && strchr (" \t", *lines->at))
        lines->at++;
    if (lines->at == lines->end)
        return false;
    stop = number_end (lines->at, lines->end);
    if (number_read (lines->at, stop, value) != stop)
        return false;
    lines->at = stop;
    return true;
}

/* False: the line at hand is no row. */
static bool read_row (struct lines *lines, struct row *row)
{
    *row = (struct row){ 0 };
    if (!lines_take_integer (lines, &row->generation) || row->generation < 1)
        return false;
    while (row->n < COLUMNS_MAX && take_value (lines, &row->values[row->n]))
        row->n++;
    for (size_t i = 0; i < ARRAY_SIZE (shapes); i++) {
        if (shapes[i].n == row->n)
            row->names = shapes[i].names;
    }
    return row->names && lines_at_end (lines);
}

static bool is_comment (const struct lines *lines)
{
    return lines->at < lines->end && *lines->at == '#';
}

static struct json *row_json (const struct row *row, int64_t step)
{
    struct json *v = json_object ();

    json_set (v, "step", json_int (step));
    for (size_t i = 0; i < row->n; i++)
        json_set (v, row->names[i],
                  isfinite (row->values[i]) ? json_real (row->values[i])
                                            : json_null ());
    return v;
}

int loss_out_read (struct lines *lines, struct loss_curve *curve,
                   struct error *err)
{
    int64_t before = 0, diverged_at = -1; /* 'before': of earlier trainings */
    struct row row, last = { 0 };
    int rc;

    while ((rc = lines_next (lines, err)) == 1 && lines->complete) {
        if (is_comment (lines))
            continue;
        if (!read_row (lines, &row))
            return lines_error (lines, err,
                                "expected a generation, and 5, 9 or 13 "
                                "numbers");
        if (row.generation <= last.generation)
            before += last.generation;
        if (isfinite (row.values[0]))
            diverged_at = -1;
        else if (diverged_at < 0)
            diverged_at = before + row.generation;
        last = row;
    }
    if (rc < 0)
        return -1;
    if (last.n == 0)
        return error_set (err, "there is no row");
    curve->step = before + last.generation;
    curve->last = row_json (&last, curve->step);
    curve->diverged_at = diverged_at;
    return 0;
}

int loss_out_read_file (const char *path, struct loss_curve *curve,
                        struct error *err)
{
    struct lines lines = LINES_INIT;
    int rc = lines_open (&lines, path, 0, err);

    if (rc == 0 && (rc = loss_out_read (&lines, curve, err)) < 0
        && !strstr (err ? err->text : path, path))
        error_prefix (err, "%s", path);
    lines_close (&lines);
    return rc;
}
