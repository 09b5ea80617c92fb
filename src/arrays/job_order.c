/* SPDX-License-Identifier: BSD-3-Clause */
/* job_order.c - job.json */
#include "config.h"

#include <limits.h>
#include <string.h>

#include "arrays/job_order.h"
#include "base/error.h"
#include "base/json.h"

struct json *job_order_to_json (const struct job_order *order)
{
    struct json *v = json_object ();

    json_set (v, "format", json_int (1));
    json_set (v, "token", json_string (order->token));
    json_set (v, "attempt", json_int (order->attempt));
    json_set (v, "chunk", json_int (order->chunk));
    json_set (v, "elements", json_int (order->elements));
    json_set (v, "slots", json_int (order->slots));
    json_set (v, "task", resources_to_json (&order->task));
    json_set (v, "element_walltime_s", json_real (order->element_walltime_s));
    json_set (v, "visibility_s", json_real (order->visibility_s));
    json_set (v, "grace_s", json_real (order->grace_s));
    json_set (v, "log_bytes", json_int (order->log_bytes));
    return v;
}

static int want_token (const struct json *v,
                       struct job_order *order,
                       struct error *err)
{
    const char *token;

    if (json_want_string (v, "token", &token, err) < 0)
        return -1;
    if (strlen (token) != TOKEN_LENGTH)
        return error_set (err, "key 'token': '%.40s' is no token", token);
    memcpy (order->token, token, TOKEN_LENGTH + 1);
    return 0;
}

static int want_count (const struct json *v,
                       const char *key,
                       int *out,
                       struct error *err)
{
    int64_t n;

    if (json_want_int (v, key, &n, err) < 0)
        return -1;
    if (n < 0 || n > INT_MAX)
        return error_set (err, "key '%s': out of range", key);
    *out = (int)n;
    return 0;
}

int job_order_from_json (const struct json *v,
                         struct job_order *order,
                         struct error *err)
{
    struct job_order read = { 0 };
    struct json *task;
    int64_t format;

    if (json_want_int (v, "format", &format, err) < 0)
        return -1;
    if (format != 1)
        return error_set (err,
                          "format %lld is newer than this program; update it",
                          (long long)format);
    if (want_token (v, &read, err) < 0
        || want_count (v, "attempt", &read.attempt, err) < 0
        || want_count (v, "chunk", &read.chunk, err) < 0
        || json_want_int (v, "elements", &read.elements, err) < 0
        || want_count (v, "slots", &read.slots, err) < 0
        || json_want_object (v, "task", &task, err) < 0
        || resources_from_json (task, &read.task, err) < 0
        || json_want_double (v, "element_walltime_s", &read.element_walltime_s,
                             err)
               < 0
        || json_want_double (v, "visibility_s", &read.visibility_s, err) < 0
        || json_want_double (v, "grace_s", &read.grace_s, err) < 0
        || json_want_int (v, "log_bytes", &read.log_bytes, err) < 0)
        return -1;
    if (read.log_bytes < 0)
        return error_set (err, "key 'log_bytes': out of range");
    *order = read;
    return 0;
}
