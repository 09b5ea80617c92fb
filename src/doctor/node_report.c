/* SPDX-License-Identifier: BSD-3-Clause */
/* node_report.c - what a probe job finds on its node */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "doctor/node_report.h"
#include "placement/slots.h"

/* --- looking around --- */

/* Held by another process: on another host where locks reach other hosts. */
static bool is_lock_seen (const char *dir)
{
    struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    char *path = path_join (dir, NODE_REPORT_LOCK);
    int fd = file_open (path, O_RDWR, 0);
    bool seen = fd >= 0 && fcntl (fd, F_OFD_SETLK, &whole) < 0
                && (errno == EAGAIN || errno == EACCES);

    if (fd >= 0)
        close (fd);
    free (path);
    return seen;
}

static void look_at_gpus (struct node_report *report)
{
    const char *gpus = getenv ("CUDA_VISIBLE_DEVICES");

    if (!gpus)
        gpus = getenv ("ROCR_VISIBLE_DEVICES");
    snprintf (report->gpus, sizeof (report->gpus), "%s", gpus ? gpus : "");
}

int node_report_make (const char *dir, struct error *err)
{
    struct node_report report = { .version = PACKAGE_VERSION };
    char *path = path_join (dir, NODE_REPORT_FILE);
    struct json *v;
    int rc = -1;

    report.wall_s = clock_wall_s ();
    gethostname (report.host, sizeof (report.host) - 1);
    look_at_gpus (&report);
    report.lock_is_seen = is_lock_seen (dir);
    if (granted_cores (&report.cores, err) == 0
        && trial_run (dir, &report.trial, err) == 0) {
        v = node_report_to_json (&report);
        rc = json_write_file (path, v, err);
        json_unref (v);
    }
    free (path);
    return rc;
}

/* --- JSON --- */

struct json *node_report_to_json (const struct node_report *report)
{
    struct json *v = json_object ();

    json_set (v, "format", json_int (1));
    json_set (v, "host", json_string (report->host));
    json_set (v, "version", json_string (report->version));
    json_set (v, "wall_s", json_real (report->wall_s));
    json_set (v, "cores", json_int (report->cores));
    json_set (v, "gpus", json_string (report->gpus));
    json_set (v, "lock_is_seen", json_bool (report->lock_is_seen));
    json_set (v, "trial", trial_to_json (&report->trial));
    return v;
}

int node_report_from_json (const struct json *v,
                           struct node_report *report,
                           struct error *err)
{
    struct node_report read = { .cores = 0 };
    const char *host, *version, *gpus;
    struct json *trial;
    int64_t cores;

    if (json_want_string (v, "host", &host, err) < 0
        || json_want_string (v, "version", &version, err) < 0
        || json_want_double (v, "wall_s", &read.wall_s, err) < 0
        || json_want_int (v, "cores", &cores, err) < 0
        || json_want_string (v, "gpus", &gpus, err) < 0
        || json_want_bool (v, "lock_is_seen", &read.lock_is_seen, err) < 0
        || json_want_object (v, "trial", &trial, err) < 0
        || trial_from_json (trial, &read.trial, err) < 0)
        return -1;
    read.cores = cores < 0 ? 0 : cores > INT_MAX ? INT_MAX : (int)cores;
    snprintf (read.host, sizeof (read.host), "%s", host);
    snprintf (read.version, sizeof (read.version), "%s", version);
    snprintf (read.gpus, sizeof (read.gpus), "%s", gpus);
    *report = read;
    return 0;
}

int node_report_read (const char *dir,
                      struct node_report *report,
                      struct error *err)
{
    char *path = path_join (dir, NODE_REPORT_FILE);
    int there = file_look (path, err);
    struct json *v = there > 0 ? json_read_file (path, err) : NULL;
    int rc = there == 0 ? 1 : -1;

    if (v && (rc = node_report_from_json (v, report, err)) < 0)
        error_prefix (err, "%s", path);
    json_unref (v);
    free (path);
    return rc;
}
