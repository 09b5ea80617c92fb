/* SPDX-License-Identifier: BSD-3-Clause */
/* site.c - what `scontrol show` and `sacctmgr show` tell of a site */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/strvec.h"
#include "base/units.h"
#include "slurm/site.h"

/* --- config --- */

/* A number at the beginning of 'value', at least 0; else 0. */
static int64_t read_count (const char *value)
{
    long long n = strtoll (value, NULL, 10);

    return n > 0 ? n : 0;
}

static void copy_word (const char *value, char *out, size_t size)
{
    snprintf (out, size, "%.*s", (int)strcspn (value, " \t"), value);
}

/* max_array_tasks=N among SchedulerParameters. */
static int64_t read_max_tasks (const char *value)
{
    const char *found = strstr (value, "max_array_tasks=");

    return found ? read_count (strchr (found, '=') + 1) : 0;
}

static bool has_word (const char *list, const char *word)
{
    struct strvec words = STRVEC_INIT;
    bool found;

    strvec_split (&words, list, ", \t");
    found = strvec_contains (&words, word);
    strvec_release (&words);
    return found;
}

static void read_setting (const char *key,
                          const char *value,
                          struct slurm_site *site)
{
    if (strcmp (key, "SLURM_VERSION") == 0)
        copy_word (value, site->version, sizeof (site->version));
    else if (strcmp (key, "ClusterName") == 0)
        copy_word (value, site->cluster, sizeof (site->cluster));
    else if (strcmp (key, "MaxArraySize") == 0)
        site->max_array = read_count (value);
    else if (strcmp (key, "MaxJobCount") == 0)
        site->max_jobs = read_count (value);
    else if (strcmp (key, "MinJobAge") == 0)
        site->min_job_age_s = (double)read_count (value);
    else if (strcmp (key, "SchedulerParameters") == 0)
        site->max_tasks = read_max_tasks (value);
    else if (strcmp (key, "AccountingStorageType") == 0)
        site->accounting = strstr (value, "slurmdbd") != NULL;
    else if (strcmp (key, "AccountingStorageEnforce") == 0)
        site->enforces_limits =
            has_word (value, "limits") || has_word (value, "safe")
            || has_word (value, "qos") || has_word (value, "all");
}

/* Cut "KEY = value" in two; NULL when it is no such line. */
static char *cut_setting (char *line)
{
    char *equals = strstr (line, " =");

    if (!equals)
        return NULL;
    line[strcspn (line, " ")] = '\0';
    return equals + 2 + strspn (equals + 2, " ");
}

char *slurm_config_value (const char *text, const char *key)
{
    struct strvec lines = STRVEC_INIT;
    char *found = NULL;

    strvec_split (&lines, text, "\n");
    for (size_t i = lines.n; i-- > 0 && !found;) {
        char *value = cut_setting (lines.v[i]);

        if (value && strcmp (lines.v[i], key) == 0)
            found = xstrdup (value);
    }
    strvec_release (&lines);
    return found;
}

bool slurm_read_config (const char *text, struct slurm_site *site)
{
    struct strvec lines = STRVEC_INIT;
    int64_t before = site->max_array;
    bool told;

    site->max_array = 0;
    strvec_split (&lines, text, "\n");
    for (size_t i = 0; i < lines.n; i++) {
        char *value = cut_setting (lines.v[i]);

        if (value)
            read_setting (lines.v[i], value, site);
    }
    strvec_release (&lines);
    told = site->max_array > 0;
    if (!told)
        site->max_array = before;
    return told;
}

/* --- partition --- */

double slurm_read_minutes (const char *text)
{
    char *end;
    double s;

    if (strcmp (text, "UNLIMITED") == 0 || strcmp (text, "INFINITE") == 0
        || strcmp (text, "NONE") == 0)
        return 0;
    s = (double)strtol (text, &end, 10) * 60;
    if (end > text && *end == '\0')
        return s > 0 ? s : -1;
    return parse_duration (text, &s) == 0 ? s : -1;
}

double slurm_read_time_left (const char *text)
{
    char word[32];
    double s;

    if (sscanf (text, "%31s", word) != 1)
        return -1;
    if (strcmp (word, "UNLIMITED") == 0 || strcmp (word, "NOT_SET") == 0)
        return INFINITY;
    if (strcmp (word, "INVALID") == 0) /* the limit is over */
        return 0;
    return parse_duration (word, &s) == 0 ? s : -1;
}

char *slurm_record_value (const char *record, const char *key)
{
    size_t len = strlen (key);

    while (*record) {
        if (strncmp (record, key, len) == 0 && record[len] == '=')
            return xstrndup (record + len + 1, strcspn (record + len + 1, " "));
        record += strcspn (record, " ");
        record += strspn (record, " ");
    }
    return NULL;
}

static bool is_partition (const char *record, const char *name)
{
    char *own = slurm_record_value (record, "PartitionName");
    char *by_default = slurm_record_value (record, "Default");
    bool same = own
                && (name ? strcmp (own, name) == 0
                         : by_default && strcmp (by_default, "YES") == 0);

    free (by_default);
    free (own);
    return same;
}

static void read_partition_qos (const char *record, struct slurm_site *site)
{
    char *value = slurm_record_value (record, "QoS");

    copy_word (value && strcmp (value, "N/A") != 0 ? value : "",
               site->partition_qos, sizeof (site->partition_qos));
    free (value);
}

char *slurm_find_partition (const char *text, const char *name)
{
    struct strvec lines = STRVEC_INIT;
    char *record = NULL;

    strvec_split (&lines, text, "\n");
    for (size_t i = 0; i < lines.n && !record; i++) {
        if (is_partition (lines.v[i], name))
            record = xstrdup (lines.v[i]);
    }
    strvec_release (&lines);
    return record;
}

double slurm_record_time (const char *record, const char *key)
{
    char *value = slurm_record_value (record, key);
    double s = value ? slurm_read_minutes (value) : 0;

    free (value);
    return s > 0 ? s : 0;
}

bool slurm_read_partition (const char *text,
                           const char *name,
                           struct slurm_site *site)
{
    char *record = slurm_find_partition (text, name);

    if (!record)
        return false;
    site->walltime_s = slurm_record_time (record, "MaxTime");
    read_partition_qos (record, site);
    free (record);
    return true;
}

/* --- cache --- */

struct json *slurm_site_to_json (const struct slurm_site *site)
{
    struct json *v = json_object ();

    json_set (v, "version", json_string (site->version));
    json_set (v, "cluster", json_string (site->cluster));
    json_set (v, "max_array", json_int (site->max_array));
    json_set (v, "max_tasks", json_int (site->max_tasks));
    json_set (v, "max_jobs", json_int (site->max_jobs));
    json_set (v, "min_job_age_s", json_real (site->min_job_age_s));
    json_set (v, "accounting", json_bool (site->accounting));
    json_set (v, "enforces_limits", json_bool (site->enforces_limits));
    json_set (v, "walltime_s", json_real (site->walltime_s));
    json_set (v, "submit", json_int (site->submit));
    json_set (v, "node_cpus", json_int (site->node_cpus));
    json_set (v, "node_memory_mib", json_int (site->node_memory_mib));
    json_set (v, "node_gpus", json_int (site->node_gpus));
    json_set (v, "partition_qos", json_string (site->partition_qos));
    return v;
}

bool slurm_site_from_json (const struct json *v, struct slurm_site *site)
{
    struct slurm_site read = { 0 };
    const char *version;
    const char *cluster;
    const char *partition_qos;

    if (json_want_string (v, "version", &version, NULL) < 0
        || json_want_string (v, "cluster", &cluster, NULL) < 0
        || json_want_int (v, "max_array", &read.max_array, NULL) < 0
        || json_want_int (v, "max_tasks", &read.max_tasks, NULL) < 0
        || json_want_int (v, "max_jobs", &read.max_jobs, NULL) < 0
        || json_want_double (v, "min_job_age_s", &read.min_job_age_s, NULL) < 0
        || json_want_bool (v, "accounting", &read.accounting, NULL) < 0
        || json_want_bool (v, "enforces_limits", &read.enforces_limits, NULL)
               < 0
        || json_want_double (v, "walltime_s", &read.walltime_s, NULL) < 0
        || json_want_int (v, "submit", &read.submit, NULL) < 0
        || json_want_int (v, "node_cpus", &read.node_cpus, NULL) < 0
        || json_want_int (v, "node_memory_mib", &read.node_memory_mib, NULL) < 0
        || json_want_int (v, "node_gpus", &read.node_gpus, NULL) < 0
        || json_want_string (v, "partition_qos", &partition_qos, NULL) < 0)
        return false;
    snprintf (read.version, sizeof (read.version), "%s", version);
    snprintf (read.cluster, sizeof (read.cluster), "%s", cluster);
    snprintf (read.partition_qos, sizeof (read.partition_qos), "%s",
              partition_qos);
    *site = read;
    return true;
}
