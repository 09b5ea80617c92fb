/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - a campaign, or two of them, as one HTML file of figures */
#include "base/base.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/units.h"
#include "base/version.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/report_sections.h"
#include "report/page/figure.h"
#include "report/page/figure_tsv.h"
#include "report/page/page.h"
#include "report/page/page_html.h"
#include "report/page/report_facts.h"
#include "report/science_view.h"
#include "report/status_view.h"
#include "report/usage_view.h"
#include "space/lease.h"

enum { CAMPAIGNS_MOST = 2 };

/* --- one campaign --- */

/* "done, converged; 5 iterations since 2026-...; used: 1.2 node-hours". */
static char *subtitle_of (const struct campaign *campaign)
{
    const struct state *state = &campaign->engine.state;
    struct lease_holder holder = { 0 };
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct usage usage = { .ran = { 0 } };
    char when[CLOCK_ISO_SIZE];
    struct json *used;

    campaign_peek (campaign, &holder, NULL);
    strbuf_addf (&text, "%s: %s", campaign->plan->dir,
                 status_word (state, holder.held));
    if (state->status == CAMPAIGN_DONE)
        strbuf_addf (&text, " (%s)", science_ending (&campaign->engine));
    if (state->why && !state->converged)
        strbuf_addf (&text, ": %s", state->why);
    if (state->n_iterations > 0) {
        clock_iso_here (state->iterations[0].began_s, when);
        strbuf_add_str (&text, "; ");
        format_count ((int64_t)state->n_iterations, "iteration", &text);
        strbuf_addf (&text, " since %s", when);
    }
    usage_of_campaign (state, &usage);
    used = usage_json (&usage);
    if (!usage_is_empty (&usage)) {
        strbuf_add_str (&text, "; ");
        usage_text (used, &text);
    }
    json_unref (used);
    return strbuf_detach (&text);
}

static int make_page (const struct campaign *campaign, struct page *page,
                      struct error *err)
{
    _cleanup_ (report_facts_release) struct report_facts facts = { .engine =
                                                                       NULL };

    if (report_facts_read (&facts, &campaign->engine, err) < 0)
        return -1;
    page->name = xstrdup (campaign->plan->name);
    page->subtitle = subtitle_of (campaign);
    report_overview (&facts, page);
    report_selection (&facts, page);
    report_learning (&facts, page);
    report_parity (&facts, page);
    report_data (&facts, page);
    report_labels (&facts, page);
    report_timeline (&facts, page);
    report_use (&facts, page);
    report_tasks (&facts, page);
    report_edits (&facts, page);
    report_provenance (&facts, page);
    return 0;
}

/* The page of the campaign in 'dir'. */
static enum exit_status read_campaign (const struct invocation *invocation,
                                       const char *dir, struct page *page)
{
    struct invocation there = *invocation;
    struct campaign campaign;
    struct error err = ERROR_INIT;
    enum exit_status status;

    there.dir = dir;
    status = campaign_open (&there, &campaign);
    if (status != STATUS_DONE)
        return status;
    if (make_page (&campaign, page, &err) < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    campaign_close (&campaign);
    return status;
}

/* --- numbers for other programs --- */

static int write_text (const char *dir, const char *name, const char *ending,
                       const struct strbuf *text, struct error *err)
{
    _cleanup_free_ char *file = xasprintf ("%s/%s%s", dir, name, ending);

    return file_write_atomic (file, text->buf, text->len, err);
}

static int write_figure (const char *dir, const struct figure *figure,
                         struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf rows = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf script = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec cells = STRVEC_INIT;
    size_t columns = figure_table (figure, &cells);

    table_tsv (&cells, columns, &rows);
    figure_gnuplot (figure, &script);
    return write_text (dir, figure->id, ".tsv", &rows, err) < 0
                   || write_text (dir, figure->id, ".gp", &script, err) < 0
               ? -1
               : 0;
}

static int write_section (const char *dir, const struct section *section,
                          struct error *err)
{
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < section->n_figures; i++)
        rc = write_figure (dir, section->figures[i], err);
    for (size_t i = 0; rc == 0 && i < section->n_tables; i++) {
        _cleanup_ (strbuf_release) struct strbuf rows = STRBUF_INIT;
        _cleanup_free_ char *name =
            xasprintf ("table-%s-%zu", section->id, i + 1);

        table_tsv (&section->tables[i].cells, section->tables[i].columns,
                   &rows);
        rc = write_text (dir, name, ".tsv", &rows, err);
    }
    return rc;
}

/* Into DIR, or of two campaigns into DIR/a and DIR/b. */
static int write_data (const char *dir, const struct page *pages, size_t n,
                       struct error *err)
{
    int rc = 0;

    for (size_t p = 0; rc == 0 && p < n; p++) {
        _cleanup_free_ char *of =
            n == 1 ? xstrdup (dir) : xasprintf ("%s/%c", dir, (char)('a' + p));

        rc = file_make_dirs (of, err);
        for (size_t i = 0; rc == 0 && i < pages[p].n_sections; i++)
            rc = write_section (of, &pages[p].sections[i], err);
    }
    return rc;
}

/* --- the file --- */

static int write_pages (const char *path, struct page *pages, size_t n,
                        struct error *err)
{
    const struct page *lent[CAMPAIGNS_MOST] = { &pages[0], &pages[n - 1] };
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_free_ char *made = NULL;
    char now[CLOCK_ISO_SIZE];

    clock_iso_here (clock_wall_s (), now);
    made = xasprintf ("Made by fanfold %s, %s.", program_version (), now);
    if (n > 1)
        pages_share_axes (&pages[0], &pages[1]);
    page_html (lent, n, made, &text);
    return file_write_atomic (path, text.buf, text.len, err);
}

static enum exit_status write_all (const struct invocation *invocation,
                                   const char *path, struct page *pages,
                                   size_t n)
{
    const char *data = invocation_option (invocation, "data");
    _cleanup_free_ char *text = NULL;
    _cleanup_json_ struct json *v = NULL;
    struct error err = ERROR_INIT;

    if ((data && write_data (data, pages, n, &err) < 0)
        || write_pages (path, pages, n, &err) < 0)
        return complain (STATUS_FAILED, "%s", err.text);
    text = xasprintf ("wrote %s%s%s\n", path, data ? " and " : "",
                      data ? data : "");
    v = json_object ();
    json_set (v, "file", json_string (path));
    json_set (v, "data", data ? json_string (data) : json_null ());
    print_reply (invocation, v, text);
    return STATUS_DONE;
}

/* Both may have one name: add the directory. */
static void name_campaign (struct page *page, const char *dir)
{
    char *name = xasprintf ("%s (%s)", page->name, dir);

    free (page->name);
    page->name = name;
}

static enum exit_status report (const struct invocation *invocation)
{
    bool compare = invocation_option (invocation, "compare") != NULL;
    size_t n = compare ? 2 : 1;
    int own = compare ? 2 : 0; /* arguments before FILE */
    const char *path =
        invocation->n_args > own ? invocation->args[own] : "report.html";
    struct page pages[CAMPAIGNS_MOST] = { PAGE_INIT, PAGE_INIT };
    enum exit_status status = STATUS_DONE;

    if (invocation->n_args < own || invocation->n_args > own + 1)
        return complain (STATUS_USAGE,
                         compare ? "report --compare takes the directories of "
                                   "two campaigns, and FILE"
                                 : "report takes FILE alone; --compare takes "
                                   "two campaigns");
    for (size_t i = 0; status == STATUS_DONE && i < n; i++) {
        const char *dir = compare ? invocation->args[i] : invocation->dir;

        status = read_campaign (invocation, dir, &pages[i]);
        if (status == STATUS_DONE && compare)
            name_campaign (&pages[i], dir);
    }
    if (status == STATUS_DONE)
        status = write_all (invocation, path, pages, n);
    page_release (&pages[0]);
    page_release (&pages[1]);
    return status;
}

static const struct command_option options[] = {
    { "compare", NULL,
      "lay the campaigns in the directories A and B side by "
      "side" },
    { "data", "DIR",
      "also write the figures as .tsv with scripts for gnuplot, the tables as "
      ".tsv, into DIR" },
    JSON_OPTION,
    { 0 },
};

const struct command report_command = {
    .name = "report",
    .arguments = "[FILE] | --compare A B [FILE]",
    .summary = "write what the campaign did as one HTML file of figures",
    .max_args = 3,
    .options = options,
    .run = report,
};
