/* SPDX-License-Identifier: BSD-3-Clause */
/* live_lines.c - one screen, as lines */
#include "base/base.h"

#include "base/units.h"
#include "base/wrap.h"
#include "report/live_view.h"

enum {
    NAME_MOST = 24,
    BAR_LEAST = 10,
    BAR_MOST = 60,
    SAID_LEAST = 3,      /* lines of what was told, where there are any */
    ITERATIONS_MOST = 8, /* that have a bar of their own */
    ROOMY = 16           /* rows: so many have room for blank ones */
};

/* What is told of a stage behind its bar, by how much it matters. */
enum field {
    FIELD_DONE,
    FIELD_FAILED,
    FIELD_RUNNING,
    FIELD_QUEUED,
    FIELD_TIME,
    FIELD_RATE,
    FIELD_WAIT,
    FIELDS
};

struct screen {
    const struct live_view *view;
    const struct screen_look *look;
    struct screen_row row;
    struct strvec *lines;
};

static void end_row (struct screen *s)
{
    screen_row_end (&s->row, s->lines);
}

static int rows_left (const struct screen *s)
{
    return s->look->height - (int)s->lines->n;
}

/* A sentence, wrapped; no more than its first 'most' rows. */
static void add_wrapped (struct screen *s, enum ink ink, const char *text,
                         int most)
{
    _cleanup_ (strbuf_release) struct strbuf wrapped = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec rows = STRVEC_INIT;

    wrap_text (text, s->look->width, &wrapped);
    strvec_split (&rows, wrapped.buf, "\n");
    for (size_t i = 0; i < rows.n && most > 0; i++, most--) {
        screen_row_add (&s->row, ink, rows.v[i]);
        end_row (s);
    }
}

/* --- numbers --- */

static void rate_text (double per_s, struct strbuf *out)
{
    double per_hour = per_s * 3600;

    if (per_s >= 1)
        strbuf_addf (out, "%.3g/s", per_s);
    else if (per_hour >= 100)
        strbuf_addf (out, "%.0f/h", per_hour);
    else
        strbuf_addf (out, "%.2g/h", per_hour);
}

static void hours_text (double hours, struct strbuf *out)
{
    if (hours > 0 && hours < 0.05)
        strbuf_add_str (out, "<0.1");
    else
        strbuf_addf (out, "%.*f", hours < 99.95 ? 1 : 0, hours);
}

/* --- stages --- */

static void count_field (int64_t n, const char *what, struct strbuf *out)
{
    if (n > 0)
        strbuf_addf (out, "%" PRId64 " %s", n, what);
}

static void wait_field (const struct live_stage *stage, struct strbuf *out)
{
    double s = stage->queued_s > 0 ? stage->queued_s : stage->waited_s;

    if (s < 1)
        return;
    strbuf_add_str (out, stage->queued_s > 0 ? "in queue " : "waited ");
    time_about_text (s, out);
}

static void time_field (const struct live_stage *stage, struct strbuf *out)
{
    bool runs = stage->status == STAGE_PREPARED;

    if (runs && stage->left.known && stage->left.most_s > 0) {
        strbuf_add_str (out, "left ");
        time_range_text (&stage->left, out);
    } else if (!runs && stage->wall_s > 0) {
        strbuf_add_str (out, "took ");
        time_about_text (stage->wall_s, out);
    }
}

static void field_text (const struct live_stage *stage, enum field field,
                        struct strbuf *out)
{
    bool runs = stage->status == STAGE_PREPARED;

    if (field == FIELD_DONE && stage->tasks > 0)
        strbuf_addf (out, "%lld/%lld", (long long)stage->n[BAR_OK],
                     (long long)stage->tasks);
    else if (field == FIELD_FAILED)
        count_field (stage->n[BAR_FAILED], "failed", out);
    else if (field == FIELD_RUNNING && runs)
        count_field (stage->n[BAR_RUNNING], "running", out);
    else if (field == FIELD_QUEUED && runs)
        count_field (stage->n[BAR_QUEUED], "queued", out);
    else if (field == FIELD_TIME)
        time_field (stage, out);
    else if (field == FIELD_RATE && runs && stage->tasks_per_s > 0)
        rate_text (stage->tasks_per_s, out);
    else if (field == FIELD_WAIT && runs)
        wait_field (stage, out);
}

/* How the columns of the stages are laid out. */
struct columns {
    int name, bar;
    int field[FIELDS]; /* its width; 0: it is not shown */
};

static void measure (const struct screen *s, struct columns *columns)
{
    const struct live_view *view = s->view;
    int bar, used;

    *columns = (struct columns){ .name = 4 };
    for (size_t i = 0; i < view->n_stages; i++) {
        int width = screen_columns (view->stages[i].name);

        columns->name = width > columns->name ? width : columns->name;
    }
    if (columns->name > s->look->width / 4)
        columns->name = s->look->width / 4;
    if (columns->name > NAME_MOST)
        columns->name = NAME_MOST;
    bar = s->look->width / 5 > BAR_LEAST ? s->look->width / 5 : BAR_LEAST;
    used = columns->name + 1 + bar;
    for (int f = 0; f < FIELDS; f++) {
        for (size_t i = 0; i < view->n_stages; i++) {
            _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
            int width;

            field_text (&view->stages[i], (enum field)f, &text);
            width = screen_columns (text.buf);
            columns->field[f] =
                width > columns->field[f] ? width : columns->field[f];
        }
        if (columns->field[f] == 0
            || used + 2 + columns->field[f] > s->look->width)
            columns->field[f] = 0;
        else
            used += 2 + columns->field[f];
    }
    columns->bar = bar + s->look->width - used;
    if (columns->bar > BAR_MOST)
        columns->bar = BAR_MOST;
}

static enum ink ink_of_field (enum field field)
{
    return field == FIELD_FAILED    ? INK_FAILED
           : field == FIELD_RUNNING ? INK_RUNNING
           : field == FIELD_QUEUED  ? INK_QUEUED
                                    : INK_PLAIN;
}

static void add_fields (struct screen *s, const struct live_stage *stage,
                        const struct columns *columns)
{
    for (int f = 0; f < FIELDS; f++) {
        _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
        int end = s->row.used + 2 + columns->field[f];

        if (columns->field[f] == 0)
            continue;
        field_text (stage, (enum field)f, &text);
        screen_row_pad (&s->row, f == FIELD_TIME || f == FIELD_WAIT
                                     ? end - columns->field[f]
                                     : end - screen_columns (text.buf));
        screen_row_add (&s->row, ink_of_field ((enum field)f), text.buf);
        screen_row_pad (&s->row, end);
    }
}

/* Why it failed, or what the scheduler says of its jobs. */
static void why_rows (struct screen *s, const struct live_stage *stage)
{
    _cleanup_free_ char *text = xasprintf ("  %s", stage->why);

    add_wrapped (s, stage->status == STAGE_FAILED ? INK_FAILED : INK_FAINT,
                 text, 2);
}

static void stage_row (struct screen *s, const struct live_stage *stage,
                       const struct columns *columns)
{
    struct screen_look cut = *s->look;
    bool failed = stage->status == STAGE_FAILED;

    cut.width = columns->name;
    s->row.look = &cut;
    screen_row_add (&s->row, INK_PLAIN, stage->name);
    s->row.look = s->look;
    screen_row_pad (&s->row, columns->name + 1);
    if (stage->tasks > 0) {
        screen_row_bar (&s->row, stage->n, stage->tasks, columns->bar);
        add_fields (s, stage, columns);
        end_row (s);
        if (stage->why && s->look->height >= ROOMY)
            why_rows (s, stage);
        return;
    }
    screen_row_addf (&s->row, failed ? INK_FAILED : INK_FAINT, "%s%s%s",
                     stage_status_name (stage->status), stage->why ? ": " : "",
                     stage->why ? stage->why : "");
    end_row (s);
}

/* What is shown first where not all have room: lower is sooner. */
static int rank (const struct live_stage *stage)
{
    return stage->status == STAGE_PREPARED || stage->status == STAGE_FAILED ? 0
           : stage->status == STAGE_WAITING                                 ? 1
                                                                            : 2;
}

/* The rank of the last that has room among 'room' rows, and how many of that
 * rank have.
 */
static void choose (const struct live_view *view, int room, int *last,
                    int *of_last)
{
    *of_last = room;
    for (*last = 0; *last < 3; (*last)++) {
        int n = 0;

        for (size_t i = 0; i < view->n_stages; i++)
            n += rank (&view->stages[i]) == *last;
        if (n > *of_last)
            return;
        *of_last -= n;
    }
}

static void stage_rows (struct screen *s, int room)
{
    const struct live_view *view = s->view;
    bool all = (int)view->n_stages <= room;
    struct columns columns;
    int last, of_last, hidden = 0;

    measure (s, &columns);
    choose (view, all ? room : room - 1, &last, &of_last);
    for (size_t i = 0; i < view->n_stages; i++) {
        int r = rank (&view->stages[i]);

        if (r > last || (r == last && of_last-- <= 0))
            hidden++;
        else
            stage_row (s, &view->stages[i], &columns);
    }
    if (hidden > 0) {
        screen_row_addf (&s->row, INK_FAINT, "(%d %s more)", hidden,
                         hidden == 1 ? "stage" : "stages");
        end_row (s);
    }
}

/* --- the campaign --- */

/* "silicon: running, iteration 3 (up to 9), phase refine     14:25:07" */
static void head_row (struct screen *s, const char *now)
{
    const struct live_view *view = s->view;
    int at = s->look->width - screen_columns (now);

    screen_row_add (&s->row, INK_TITLE, view->campaign);
    screen_row_addf (
        &s->row, strcmp (view->status, "failed") == 0 ? INK_FAILED : INK_PLAIN,
        ": %s", view->status);
    if (view->iteration >= 0)
        screen_row_addf (&s->row, INK_PLAIN, ", iteration %d", view->iteration);
    if (view->iteration >= 0)
        screen_row_addf (&s->row, INK_FAINT, " (up to %lld)",
                         (long long)view->iterations - 1);
    if (view->phase)
        screen_row_addf (&s->row, INK_PLAIN, ", phase %s", view->phase);
    if (s->row.used + 2 <= at) {
        screen_row_pad (&s->row, at);
        screen_row_add (&s->row, INK_FAINT, now);
    }
    end_row (s);
}

static void left_row (struct screen *s)
{
    const struct live_view *view = s->view;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (!view->iteration_left.known || view->iteration_left.most_s <= 0)
        return;
    strbuf_add_str (&text, "left: ");
    time_range_text (&view->iteration_left, &text);
    strbuf_add_str (&text, " of this iteration");
    if (view->campaign_left.known && view->iteration + 1 < view->iterations) {
        strbuf_add_str (&text, ", ");
        time_range_text (&view->campaign_left, &text);
        strbuf_add_str (&text, " of the campaign");
    }
    add_wrapped (s, INK_PLAIN, text.buf, 2);
}

static void used_row (struct screen *s)
{
    const struct live_view *view = s->view;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (view->iteration < 0)
        return;
    strbuf_add_str (&text, "node-hours: ");
    hours_text (view->node_hours, &text);
    strbuf_add_str (&text, " used");
    if (view->lost_node_hours >= 0.05) {
        strbuf_add_str (&text, ", of them ");
        hours_text (view->lost_node_hours, &text);
        strbuf_add_str (&text, " lost");
    }
    if (view->submitted_node_hours > 0) {
        strbuf_add_str (&text, "; at most ");
        hours_text (view->submitted_node_hours, &text);
        strbuf_add_str (&text, " more by what is submitted");
    }
    add_wrapped (s, INK_PLAIN, text.buf, 2);
}

/* --- accuracy --- */

/* "accurate  ▁▃▅▆ 93.1%" of as many of the latest iterations as fit. */
static void spark_row (struct screen *s, const struct live_accuracy *accuracy)
{
    int from, room;

    screen_row_addf (&s->row, INK_PLAIN, "%s ", accuracy->name);
    room = s->look->width - s->row.used - 9;
    from = accuracy->n > room && room > 0 ? accuracy->n - room : 0;
    screen_row_spark (&s->row, accuracy->values + from, accuracy->n - from);
    for (int i = accuracy->n - 1; i >= 0; i--) {
        if (!isfinite (accuracy->values[i]))
            continue;
        screen_row_addf (&s->row, INK_PLAIN, " %.1f%%",
                         100 * accuracy->values[i]);
        break;
    }
    end_row (s);
}

/* A bar for each of the latest iterations. */
static void accuracy_bars (struct screen *s,
                           const struct live_accuracy *accuracy, int n)
{
    screen_row_addf (&s->row, INK_PLAIN, "%s, by iteration", accuracy->name);
    end_row (s);
    for (int i = accuracy->n - n; i < accuracy->n; i++) {
        double v = accuracy->values[i];
        const int64_t parts[BAR_PARTS] = {
            isfinite (v) ? (int64_t)(fmin (fmax (v, 0), 1) * 1e6) : 0
        };

        screen_row_addf (&s->row, INK_PLAIN, "%4d %s", i,
                         isfinite (v) ? "" : "-");
        if (!isfinite (v)) {
            end_row (s);
            continue;
        }
        screen_row_bar (&s->row, parts, 1000000,
                        s->look->width / 2 < BAR_MOST ? s->look->width / 2
                                                      : BAR_MOST);
        screen_row_addf (&s->row, INK_PLAIN, " %.1f%%", 100 * v);
        end_row (s);
    }
}

static void accuracy_rows (struct screen *s, int room)
{
    const struct live_view *view = s->view;

    for (size_t i = 0; i < view->n_accuracy && room > 0; i++) {
        const struct live_accuracy *accuracy = &view->accuracy[i];
        int n = accuracy->n < ITERATIONS_MOST ? accuracy->n : ITERATIONS_MOST;

        if (view->n_accuracy == 1 && n > 1 && room >= n + 8) {
            accuracy_bars (s, accuracy, n);
            room -= n + 1;
        } else {
            spark_row (s, accuracy);
            room--;
        }
    }
}

/* --- what was told --- */

static void said_rows (struct screen *s, const struct strvec *said, int room)
{
    _cleanup_ (strvec_release) struct strvec rows = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf wrapped = STRBUF_INIT;
    size_t from = said->n > (size_t)room ? said->n - (size_t)room : 0;

    for (size_t i = from; i < said->n; i++) {
        wrap_text (said->v[i], s->look->width, &wrapped);
        strbuf_add_char (&wrapped, '\n');
    }
    strvec_split (&rows, wrapped.buf, "\n");
    from = rows.n > (size_t)room ? rows.n - (size_t)room : 0;
    for (size_t i = from; i < rows.n; i++) {
        screen_row_add (&s->row, INK_FAINT, rows.v[i]);
        end_row (s);
    }
}

/* A row between two parts, where there is room for that. */
static void gap (struct screen *s)
{
    if (s->look->height >= ROOMY)
        end_row (s);
}

static void all_rows (struct screen *s, const struct strvec *said,
                      const char *now)
{
    const struct live_view *view = s->view;
    int said_least = said->n < SAID_LEAST ? (int)said->n : SAID_LEAST;
    int below = 5 + said_least + (int)view->n_accuracy;

    head_row (s, now);
    if (view->why)
        add_wrapped (s, INK_PLAIN, view->why, 3);
    else if (view->driver)
        add_wrapped (s, INK_FAINT, view->driver, 1);
    gap (s);
    stage_rows (s, rows_left (s) - below > 2 ? rows_left (s) - below : 2);
    gap (s);
    left_row (s);
    used_row (s);
    accuracy_rows (s, rows_left (s) - 1 - said_least);
    if (rows_left (s) > 2 && said->n > 0) {
        gap (s);
        said_rows (s, said, rows_left (s) - 1);
    }
}

void live_view_lines (const struct live_view *view,
                      const struct screen_look *look, const struct strvec *said,
                      const char *now, const char *keys, struct strvec *lines)
{
    _cleanup_ (strvec_release) struct strvec rows = STRVEC_INIT;
    struct screen s = { .view = view, .look = look, .lines = &rows };
    int room = look->height - 1;

    screen_row_begin (&s.row, look);
    all_rows (&s, said, now);
    for (int i = 0; i < room; i++)
        strvec_push (lines, i < (int)rows.n ? rows.v[i] : "");
    screen_row_add (&s.row, INK_FAINT, keys);
    screen_row_end (&s.row, lines);
    screen_row_release (&s.row);
}
