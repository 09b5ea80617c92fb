/* SPDX-License-Identifier: BSD-3-Clause */
/* probe.c - ask a node of a profile what it is like */
#include "base/base.h"

#include "base/file.h"
#include "base/findings.h"
#include "base/json.h"
#include "base/units.h"
#include "campaign/plan.h"
#include "campaign/site_file.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/probe.h"
#include "doctor/doctor.h"
#include "engine/history/engine.h"
#include "placement/node_shape.h"
#include "placement/topology_file.h"
#include "report/node_view.h"

static const double default_timeout_s = 600;

const struct profile *probe_profile (const struct plan *plan, const char *name)
{
    const struct profile *profile = NULL;
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    for (size_t i = 0; i < plan->n_profiles; i++) {
        strvec_push (&names, plan->profiles[i].name);
        if (strcmp (plan->profiles[i].name, name) == 0)
            profile = &plan->profiles[i];
    }
    if (!profile)
        complain_unknown ("profile", name, &names);
    return profile;
}

enum exit_status probe_timeout (const struct invocation *invocation,
                                double *timeout_s)
{
    const char *text = invocation_option (invocation, "timeout");

    *timeout_s = default_timeout_s;
    if (text && parse_duration (text, timeout_s) < 0)
        return complain (STATUS_USAGE,
                         "--timeout: '%s'; write a duration such as 10m", text);
    return STATUS_DONE;
}

/* --- the file --- */

/* Beside site.yaml, or else in the directory of the campaign. */
static char *default_path (const struct invocation *invocation,
                           const char *profile)
{
    _cleanup_free_ char *site = invocation->site
                                    ? xstrdup (invocation->site)
                                    : site_file_find (invocation->dir);
    _cleanup_free_ char *name = xasprintf ("%s-node.xml", profile);
    const char *slash = site ? strrchr (site, '/') : NULL;
    _cleanup_free_ char *dir = slash
                                   ? xstrndup (site, (size_t)(slash - site) + 1)
                               : site ? xstrdup (".")
                                      : xstrdup (invocation->dir);
    char *path = path_join (dir, name);

    return path;
}

/* What to write into site.yaml: relative where the file lies beside it. */
static char *site_line (const char *path, bool beside)
{
    return xasprintf ("node: {topology: %s}", beside ? path_base (path) : path);
}

/* --- the command --- */

static void print (const struct invocation *invocation, const char *path,
                   const char *line, const struct node_shape *shape)
{
    _cleanup_json_ struct json *v = json_object ();
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    json_set (v, "file", json_string (path));
    json_set (v, "site", json_string (line));
    json_set (v, "node", node_shape_json (shape));
    if (invocation_option (invocation, "json")) {
        print_json (v);
    } else {
        node_shape_text (json_get (v, "node"), &text);
        printf ("%s\nwritten to %s; in the profile, in place of what node says "
                "now:\n  %s\n",
                text.buf, path, line);
    }
}

static enum exit_status store (const struct invocation *invocation,
                               const char *profile, const struct strbuf *xml)
{
    const char *output = invocation_option (invocation, "output");
    _cleanup_free_ char *path =
        output ? path_absolute (output) : default_path (invocation, profile);
    _cleanup_free_ char *line = site_line (path, !output);
    _cleanup_ (node_shape_release) struct node_shape shape = { 0 };
    struct error err = ERROR_INIT;
    enum exit_status status = STATUS_DONE;

    if (file_write_atomic (path, xml->buf, xml->len, &err) < 0)
        status = complain (STATUS_FAILED,
                           "%s; give --output a place for the file", err.text);
    else if (node_shape_from_xml (path, &shape, &err) < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    else
        print (invocation, path, line, &shape);
    return status;
}

static enum exit_status give (const struct invocation *invocation,
                              const char *profile, const struct strbuf *xml)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_json_ struct json *v = json_object ();

    if (!invocation_option (invocation, "share"))
        return store (invocation, profile, xml);
    topology_without_names (xml->buf, &text);
    json_set (v, "topology", json_string (text.buf));
    print_reply (invocation, v, text.buf);
    return STATUS_DONE;
}

/* What is not good on the way: on stderr, since stdout is what was asked for.
 */
static void print_findings (const struct findings *findings)
{
    for (size_t i = 0; i < findings->n; i++) {
        const struct finding *f = &findings->v[i];

        if (f->grade != GRADE_GOOD)
            complain (STATUS_DONE, "%s: %s; %s", f->subject, f->text,
                      f->advice);
    }
}

static enum exit_status ask (const struct invocation *invocation,
                             const struct plan *plan,
                             const struct profile *profile, double timeout_s)
{
    const struct doctor_options options = { .timeout_s = timeout_s,
                                            .stop = stopping_flag () };
    struct engine engine = { .dir = xstrdup (plan->dir),
                             .plan = plan,
                             .program = invocation->program };
    _cleanup_ (findings_release) struct findings findings = FINDINGS_INIT;
    _cleanup_ (strbuf_release) struct strbuf xml = STRBUF_INIT;
    enum exit_status status;

    if (doctor_topology (&engine, profile, &options, &xml, &findings)
        == DOCTOR_STOPPED) {
        status = complain (STATUS_INTERRUPTED,
                           "interrupted; the probe job is cancelled");
    } else {
        print_findings (&findings);
        status = xml.len > 0 ? give (invocation, profile->name, &xml)
                             : STATUS_FAILED;
    }
    engine_close (&engine);
    return status;
}

static enum exit_status probe (const struct invocation *invocation)
{
    struct plan *plan = campaign_plan_or_complain (invocation, true);
    const struct profile *profile;
    double timeout_s;
    enum exit_status status;

    if (!plan)
        return STATUS_INVALID;
    profile = probe_profile (plan, invocation->args[0]);
    status = profile ? probe_timeout (invocation, &timeout_s) : STATUS_USAGE;
    if (status == STATUS_DONE)
        status = ask (invocation, plan, profile, timeout_s);
    plan_destroy (plan);
    return status;
}

static const struct command_option options[] = {
    { "json", NULL, "print {\"file\", \"site\", \"node\": {...}}" },
    { "output", "FILE",
      "write this file (default: PROFILE-node.xml beside site.yaml)" },
    { "share", NULL,
      "write no file: print it, without host names and serial numbers" },
    { "timeout", "DURATION",
      "give the job's start so much time (default: 10m)" },
    { 0 },
};

const struct command probe_command = {
    .name = "probe",
    .arguments = "PROFILE",
    .summary = "record what a node is like, by a job that has a whole one",
    .min_args = 1,
    .max_args = 1,
    .options = options,
    .run = probe,
};
