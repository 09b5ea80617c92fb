/* SPDX-License-Identifier: BSD-3-Clause */
/* lcurve.c - the learning curve that `dp train` writes, lcurve.out */
#include "base/base.h"

#include "base/json.h"
#include "formats/deepmd/lcurve.h"
#include "formats/lines.h"

/* More than any loss has, of any number of tasks that people train. */
enum { COLUMNS_MAX = 1024 };

struct reading {
    struct strvec columns;
    double row[COLUMNS_MAX];  /* the one at hand */
    double last[COLUMNS_MAX]; /* the last that was whole */
    size_t n_last;            /* columns of it; 0: none */
    void (*each) (const struct strvec *columns, const double *row, void *arg);
    void *arg; /* of 'each', which may be NULL */
};

/* --- the columns --- */

static bool begins_with (const struct strbuf *text, const char *words)
{
    return strncmp (text->buf, words, strlen (words)) == 0;
}

static bool ends_with (const struct strbuf *text, const char *words)
{
    size_t len = strlen (words);

    return text->len >= len && strcmp (text->buf + text->len - len, words) == 0;
}

/* As DeePMD-kit 2 and later call it. */
static void push_column (struct strvec *columns, const char *word, size_t len)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    strbuf_add (&text, word, len);
    if (ends_with (&text, "_tst")) {
        strbuf_truncate (&text, text.len - strlen ("tst"));
        strbuf_add_str (&text, "val");
    }
    if (strcmp (text.buf, "batch") == 0)
        strvec_push (columns, "step");
    else if (begins_with (&text, "l2"))
        strvec_pushf (columns, "rmse%s", text.buf + strlen ("l2"));
    else
        strvec_push (columns, text.buf);
}

/* A comment that begins with "step" names the columns, any other is passed
 * over.  Rows before it that have other columns are of another training.
 */
static void read_comment (struct lines *lines, struct reading *r,
                          struct lcurve *curve)
{
    struct strvec columns = STRVEC_INIT;
    const char *word;
    size_t len;

    while (lines_take_word (lines, &word, &len) && columns.n <= COLUMNS_MAX)
        push_column (&columns, word, len);
    if (columns.n < 2 || columns.n > COLUMNS_MAX
        || strcmp (columns.v[0], "step") != 0) {
        strvec_release (&columns);
        return;
    }
    if (r->n_last != columns.n) {
        r->n_last = 0;
        curve->n_rows = 0;
        curve->diverged_at = -1;
    }
    strvec_release (&r->columns);
    r->columns = columns;
}

/* --- rows --- */

/* The number of the column that has the total error; 0: there is none. */
static size_t total_column (const struct strvec *columns)
{
    static const char *const names[] = { "rmse_trn", "rmse", "rmse_val" };

    for (size_t k = 0; k < ARRAY_SIZE (names); k++) {
        size_t i = words_index (columns->v, columns->n, names[k]);

        if (i < columns->n)
            return i;
    }
    return 0;
}

static bool take_row (struct lines *lines, struct reading *r)
{
    int64_t step;

    if (!lines_take_integer (lines, &step) || step < 0 || !json_int_fits (step))
        return false;
    r->row[0] = (double)step;
    return lines_take_numbers (lines, r->row + 1, r->columns.n - 1);
}

/* One that goes on from an earlier step stands for all from there on. */
static void add_row (struct reading *r, struct lcurve *curve)
{
    size_t total = total_column (&r->columns);
    int64_t step = (int64_t)r->row[0];

    memcpy (r->last, r->row, r->columns.n * sizeof (*r->row));
    r->n_last = r->columns.n;
    if (r->each)
        r->each (&r->columns, r->row, r->arg);
    curve->step = step;
    curve->n_rows++;
    if (isfinite (r->row[total]))
        curve->diverged_at = -1;
    else if (curve->diverged_at < 0 || step < curve->diverged_at)
        curve->diverged_at = step;
}

static struct json *last_row (const struct reading *r)
{
    struct json *row = json_object ();

    json_set (row, "step", json_int ((int64_t)r->last[0]));
    for (size_t i = 1; i < r->n_last; i++)
        json_set (row, r->columns.v[i],
                  isfinite (r->last[i]) ? json_real (r->last[i])
                                        : json_null ());
    return row;
}

static void read_line (struct lines *lines, struct reading *r,
                       struct lcurve *curve)
{
    if (lines_take_prefix (lines, "#"))
        read_comment (lines, r, curve);
    else if (lines_at_end (lines))
        return;
    else if (r->columns.n > 0 && lines->complete && take_row (lines, r))
        add_row (r, curve);
    else if (lines->complete)
        curve->n_broken++;
}

static int read_all (struct lines *lines, struct reading *r,
                     struct lcurve *curve, struct error *err)
{
    struct lcurve read = LCURVE_INIT;
    int rc;

    while ((rc = lines_next (lines, err)) == 1)
        read_line (lines, r, &read);
    if (rc == 0 && r->columns.n == 0)
        rc = error_set (err, "no line names the columns (# step ...)");
    else if (rc == 0 && r->n_last == 0)
        rc = error_set (err, "there is no row yet");
    if (rc == 0) {
        read.last = last_row (r);
        *curve = read;
    }
    strvec_release (&r->columns);
    return rc;
}

int lcurve_read (struct lines *lines, struct lcurve *curve, struct error *err)
{
    struct reading r = { .columns = STRVEC_INIT };

    return read_all (lines, &r, curve, err);
}

int lcurve_read_file (const char *path, struct lcurve *curve, struct error *err)
{
    struct lines lines = LINES_INIT;
    int rc = lines_open (&lines, path, 0, err);

    if (rc == 0 && (rc = lcurve_read (&lines, curve, err)) < 0)
        error_prefix (err, "%s", path);
    lines_close (&lines);
    return rc;
}

int lcurve_each_row (const char *path,
                     void (*each) (const struct strvec *columns,
                                   const double *row, void *arg),
                     void *arg, struct error *err)
{
    struct reading r = { .columns = STRVEC_INIT, .each = each, .arg = arg };
    _cleanup_ (lcurve_release) struct lcurve curve = LCURVE_INIT;
    struct lines lines = LINES_INIT;
    int rc = lines_open (&lines, path, 0, err);

    if (rc == 0 && (rc = read_all (&lines, &r, &curve, err)) < 0)
        error_prefix (err, "%s", path);
    lines_close (&lines);
    return rc;
}

void lcurve_release (struct lcurve *curve)
{
    json_unref (curve->last);
    *curve = (struct lcurve)LCURVE_INIT;
}
