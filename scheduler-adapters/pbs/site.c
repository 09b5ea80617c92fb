/* SPDX-License-Identifier: BSD-3-Clause */
/* site.c - what `qstat -Bf` and `qstat -Qf` tell of a site */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays/packing.h"
#include "base/error.h"
#include "base/json.h"
#include "base/strvec.h"
#include "base/units.h"
#include "pbs/records.h"
#include "pbs/site.h"

/* The number of "KIND:NAME=NUMBER", else 0. */
static int64_t limit_of (const char *text, const char *kind, const char *name)
{
    size_t n = strlen (kind), len = strlen (name);
    long long number;

    if (strncmp (text, kind, n) != 0 || strncmp (text + n, name, len) != 0
        || text[n + len] != '=')
        return 0;
    number = strtoll (text + n + len + 1, NULL, 10);
    return number > 0 ? number : 0;
}

int64_t pbs_read_limit (const char *text, const char *user)
{
    struct strvec parts = STRVEC_INIT;
    int64_t all = 0, generic = 0, own = 0;

    strvec_split (&parts, text, "[], ");
    for (size_t i = 0; i < parts.n; i++) {
        all = tighter_limit (all, limit_of (parts.v[i], "o:", "PBS_ALL"));
        generic =
            tighter_limit (generic, limit_of (parts.v[i], "u:", "PBS_GENERIC"));
        own = tighter_limit (own, limit_of (parts.v[i], "u:", user));
    }
    strvec_release (&parts);
    return tighter_limit (all, own > 0 ? own : generic);
}

/* What server and queue have in common. */
static void tighten (const struct pbs_record *record,
                     const char *user,
                     struct pbs_site *site)
{
    const char *queued = pbs_value (record, "max_queued");
    const char *walltime = pbs_value (record, "resources_max.walltime");
    double s;

    site->max_array = tighter_limit (site->max_array,
                                     pbs_number (record, "max_array_size", 0));
    site->max_array = /* TORQUE's name for it */
        tighter_limit (site->max_array,
                       pbs_number (record, "max_job_array_size", 0));
    if (queued)
        site->submit =
            tighter_limit (site->submit, pbs_read_limit (queued, user));
    if (walltime && parse_duration (walltime, &s) == 0 && s > 0
        && (site->walltime_s == 0 || s < site->walltime_s))
        site->walltime_s = s;
}

struct reading {
    const char *user;
    struct pbs_site site;
    bool seen;
};

static void copy_word (const char *value, char *out, size_t size)
{
    snprintf (out, size, "%s", value ? value : "");
}

static int take_server (const struct pbs_record *record,
                        void *arg,
                        struct error *err)
{
    struct reading *reading = arg;
    const char *history = pbs_value (record, "job_history_enable");
    struct pbs_site *site = &reading->site;

    (void)err;
    reading->seen = true;
    copy_word (record->id, site->server, sizeof (site->server));
    copy_word (pbs_value (record, "pbs_version"), site->version,
               sizeof (site->version));
    copy_word (pbs_value (record, "default_queue"), site->queue,
               sizeof (site->queue));
    site->history = history && strcmp (history, "True") == 0;
    tighten (record, reading->user, site);
    return 0;
}

static int take_queue (const struct pbs_record *record,
                       void *arg,
                       struct error *err)
{
    struct reading *reading = arg;

    (void)err;
    reading->seen = true;
    tighten (record, reading->user, &reading->site);
    return 0;
}

static int read_site (const char *heading,
                      const char *text,
                      size_t len,
                      const char *user,
                      pbs_each_record each,
                      struct pbs_site *site,
                      struct error *err)
{
    struct reading reading = { user, *site, false };

    if (pbs_read_records (heading, text, len, each, &reading, err) < 0)
        return -1;
    if (!reading.seen)
        return error_set (err, "qstat told of no '%s'", heading);
    *site = reading.site;
    return 0;
}

int pbs_read_server (const char *text,
                     size_t len,
                     const char *user,
                     struct pbs_site *site,
                     struct error *err)
{
    return read_site ("Server: ", text, len, user, take_server, site, err);
}

int pbs_read_queue (const char *text,
                    size_t len,
                    const char *user,
                    struct pbs_site *site,
                    struct error *err)
{
    return read_site ("Queue: ", text, len, user, take_queue, site, err);
}

/* --- cache --- */

struct json *pbs_site_to_json (const struct pbs_site *site)
{
    struct json *v = json_object ();

    json_set (v, "server", json_string (site->server));
    json_set (v, "version", json_string (site->version));
    json_set (v, "queue", json_string (site->queue));
    json_set (v, "history", json_bool (site->history));
    json_set (v, "max_array", json_int (site->max_array));
    json_set (v, "submit", json_int (site->submit));
    json_set (v, "walltime_s", json_real (site->walltime_s));
    return v;
}

bool pbs_site_from_json (const struct json *v, struct pbs_site *site)
{
    struct pbs_site read = { 0 };
    const char *server, *version, *queue;

    if (json_want_string (v, "server", &server, NULL) < 0
        || json_want_string (v, "version", &version, NULL) < 0
        || json_want_string (v, "queue", &queue, NULL) < 0
        || json_want_bool (v, "history", &read.history, NULL) < 0
        || json_want_int (v, "max_array", &read.max_array, NULL) < 0
        || json_want_int (v, "submit", &read.submit, NULL) < 0
        || json_want_double (v, "walltime_s", &read.walltime_s, NULL) < 0)
        return false;
    copy_word (server, read.server, sizeof (read.server));
    copy_word (version, read.version, sizeof (read.version));
    copy_word (queue, read.queue, sizeof (read.queue));
    *site = read;
    return true;
}
