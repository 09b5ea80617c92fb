/* SPDX-License-Identifier: BSD-3-Clause */
/* spool.c - what an adapter keeps of a job that runs its elements itself */
#include "base/base.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arrays/array_job.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_record.h"
#include "spool.h"

enum {
    ELEMENTS_MAX = 100000000,
    EVENTS_MAX_BYTES = 1 << 28,
    SCRIPT_MAX_BYTES = 1 << 20,
    OUTPUT_KEPT_BYTES = 1 << 16
};

int spool_open (const char *spool, struct error *err)
{
    struct stat st;

    if (mkdir (spool, 0700) < 0 && errno != EEXIST) {
        if (errno != ENOENT || file_make_parent (spool, err) < 0
            || mkdir (spool, 0700) < 0)
            return error_errno (err, "%s: cannot make the spool", spool);
    }
    if (lstat (spool, &st) < 0)
        return error_errno (err, "%s", spool);
    if (!S_ISDIR (st.st_mode) || st.st_uid != getuid ())
        return error_set (err,
                          "%s: is not a directory of ours; set `spool` in "
                          "site.yaml to another one",
                          spool);
    if ((st.st_mode & 077) != 0 && chmod (spool, 0700) < 0)
        return error_errno (err, "%s", spool);
    return 0;
}

enum answer spool_ready (const char *spool, struct error *err)
{
    struct error why = ERROR_INIT;

    if (spool_open (spool, &why) == 0)
        return ANSWER_OK;
    error_copy (err, &why);
    return error_may_pass (&why) ? ANSWER_TRY_LATER : ANSWER_BROKEN;
}

char *spool_job_dir (const char *spool, const char *id, struct error *err)
{
    size_t n = strspn (id, "abcdefghijklmnopqrstuvwxyz0123456789");

    if (n == 0 || id[n] != '\0') {
        error_set (err, "'%.60s' is no local job id", id);
        return NULL;
    }
    return path_join (spool, id);
}

/* --- writing --- */

static const struct json_field job_fields[] = {
    JSON_FIELD (struct spool_job, token, STRING),
    JSON_FIELD (struct spool_job, program, STRING),
    JSON_FIELD (struct spool_job, home, STRING),
    JSON_FIELD (struct spool_job, elements, COUNT, .most = ELEMENTS_MAX),
    JSON_FIELD (struct spool_job, running, COUNT),
    JSON_FIELD (struct spool_job, nodes, COUNT, .optional = true),
    JSON_FIELD (struct spool_job, ranks, COUNT, .optional = true),
    JSON_FIELD (struct spool_job, cores, COUNT),
    JSON_FIELD (struct spool_job, gpus, COUNT),
    JSON_FIELD (struct spool_job, memory_bytes, COUNT),
    JSON_FIELD (struct spool_job, exclude, STRING),
    JSON_FIELD (struct spool_job, walltime_s, REAL),
    JSON_FIELD (struct spool_job, unheld, BOOL),
    JSON_FIELD (struct spool_job, login_shell, BOOL, .optional = true),
    JSON_FIELD (struct spool_job, after, STRING, .optional = true),
    JSON_FIELD (struct spool_job, begin_s, REAL),
    JSON_FIELDS_END,
};

static char *excluded (const struct strvec *nodes)
{
    struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < nodes->n; i++)
        strbuf_addf (&text, " %s", nodes->v[i]);
    strbuf_add_char (&text, ' ');
    return strbuf_detach (&text);
}

static struct json *job_json (const struct array_job *job, const char *script)
{
    _cleanup_ (spool_job_release) struct spool_job record = {
        .token = xstrdup (job->token),
        .program = xstrdup (job->agent.v[0]),
        .home = xstrndup (script, (size_t)(path_base (script) - script)),
        .elements = job->elements,
        .running = job->running,
        .nodes = job->nodes,
        .ranks = job->ranks,
        .cores = job->cores,
        .gpus = job->gpus,
        .memory_bytes = job->memory_bytes,
        .exclude = excluded (&job->exclude),
        .walltime_s = job->walltime_s,
        .unheld = job->unheld,
        .login_shell = job->login_shell,
        .after = job->after ? xstrdup (job->after) : NULL,
        .begin_s = job->delay_s > 0 ? clock_wall_s () + job->delay_s : 0,
    };
    struct json *v = json_object ();

    json_record_write (&record, job_fields, v);
    return v;
}

static int fill_job (const char *dir, const struct array_job *job,
                     const char *script_path, struct error *err)
{
    _cleanup_json_ struct json *v = job_json (job, script_path);
    _cleanup_ (strbuf_release) struct strbuf script = STRBUF_INIT;
    _cleanup_free_ char *job_file = path_join (dir, "job.json");
    _cleanup_free_ char *script_file = path_join (dir, "script");
    int rc = -1;

    if (file_read (script_path, SCRIPT_MAX_BYTES, &script, err) == 0
        && file_write_atomic (script_file, script.buf, script.len, err) == 0)
        rc = json_write_file (job_file, v, err);
    return rc;
}

/* Where a job lies while it is being made. */
static char *unfinished_path (const char *spool, const char *token)
{
    return xasprintf ("%s/" FILE_TEMPORARY "%s", spool, token);
}

int spool_create (const char *spool, const struct array_job *job,
                  const char *script_path, struct error *err)
{
    _cleanup_free_ char *temp = unfinished_path (spool, job->token);
    _cleanup_free_ char *dir = path_join (spool, job->token);
    int there = file_look (dir, err);

    if (there > 0)
        error_set (err, "%s is there already", dir);
    if (there != 0)
        return -1;
    if (file_remove_tree (temp, NULL, err) < 0 || file_make_dirs (temp, err) < 0
        || fill_job (temp, job, script_path, err) < 0)
        return -1;
    return file_rename (temp, dir, err);
}

int spool_remove (const char *spool, const char *token, struct error *err)
{
    _cleanup_free_ char *dir = spool_job_dir (spool, token, NULL);
    _cleanup_free_ char *unfinished = unfinished_path (spool, token);
    _cleanup_free_ char *gone = xasprintf ("%s/" SPOOL_GONE "%s", spool, token);
    int rc = 0;

    if (!dir)
        return 0; /* that is no job's name */
    rc = file_remove_tree (unfinished, NULL, err);
    /* Half a job would be another job. */
    if (rc == 0 && (rc = file_look (dir, err)) > 0)
        rc = file_rename (dir, gone, err);
    if (rc == 0)
        rc = file_remove_tree (gone, NULL, err);
    return rc;
}

/* The end of it says why. */
void spool_keep_output (const struct spool_job *job)
{
    _cleanup_free_ char *from = path_join (job->dir, "output");
    _cleanup_free_ char *to = path_join (job->home, "output");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    uint64_t bytes = 0;

    if (*job->home && file_tree_bytes (from, &bytes, NULL) == 0 && bytes > 0
        && file_read_from (
               from, bytes > OUTPUT_KEPT_BYTES ? bytes - OUTPUT_KEPT_BYTES : 0,
               2 * OUTPUT_KEPT_BYTES, &text, NULL)
               == 0)
        file_write_atomic (to, text.buf, text.len, NULL);
}

int spool_mark (const char *dir, const char *name, struct error *err)
{
    _cleanup_free_ char *path = path_join (dir, name);
    int rc = file_create (path, "", 0, err);

    return rc < 0 ? -1 : 0;
}

/* A crash or a full disk may have left the beginning of a line, which must not
 * become the beginning of the next one.
 */
static int drop_torn_line (int fd)
{
    off_t size = lseek (fd, 0, SEEK_END);
    off_t whole = size;
    char last = '\0';

    while (whole > 0 && last != '\n') {
        ssize_t n = pread (fd, &last, 1, whole - 1);

        if (n < 0 && errno != EINTR)
            return -1;
        whole -= n == 1 && last != '\n';
    }
    return whole < size ? ftruncate (fd, whole) : 0;
}

int spool_log (struct spool_job *job, int64_t element, enum outcome outcome,
               struct error *err)
{
    bool starts = outcome == OUTCOME_NONE;
    _cleanup_free_ char *line =
        xasprintf ("%s %" PRId64 "%s%s\n", starts ? "start" : "end", element,
                   starts ? "" : " ", starts ? "" : outcome_name (outcome));
    _cleanup_free_ char *path = path_join (job->dir, "events");
    int fd = file_open (path, O_RDWR | O_APPEND | O_CREAT, 0600);
    int rc = -1;

    if (fd < 0 || drop_torn_line (fd) < 0)
        error_errno (err, "cannot write '%s'", path);
    else if (file_write_all (fd, line, strlen (line), err) < 0)
        error_prefix (err, "'%s'", path);
    else
        rc = file_sync (fd, path, err);
    if (fd >= 0)
        close (fd);
    job->status[element].state = starts ? ELEMENT_RUNNING : ELEMENT_ENDED;
    job->status[element].outcome = outcome;
    return rc;
}

/* --- reading --- */

/* One whole line of 'events'. */
static void apply_event (struct spool_job *job, const char *line)
{
    char outcome[32] = "";
    int64_t element = -1;
    bool ended = sscanf (line, "end %" SCNd64 " %31s", &element, outcome) == 2;

    if (!ended && sscanf (line, "start %" SCNd64, &element) != 1)
        return;
    if (element < 0 || element >= job->elements)
        return;
    job->status[element].state = ended ? ELEMENT_ENDED : ELEMENT_RUNNING;
    job->status[element].outcome =
        ended ? outcome_from_name (outcome) : OUTCOME_NONE;
}

static int read_events (struct spool_job *job, struct error *err)
{
    _cleanup_free_ char *path = path_join (job->dir, "events");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    char *end;
    int rc = file_look (path, err);

    for (int64_t e = 0; e < job->elements; e++)
        job->status[e].state = job->released ? ELEMENT_QUEUED : ELEMENT_HELD;
    if (rc > 0)
        rc = file_read (path, EVENTS_MAX_BYTES, &text, err);
    for (char *line = text.buf; (end = strchr (line, '\n')); line = end + 1) {
        *end = '\0';
        apply_event (job, line);
    }
    return rc;
}

int spool_read_marks (struct spool_job *job, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    int rc = file_list_dir (job->dir, &names, err);
    bool all = strvec_contains (&names, "cancel");

    job->released = job->unheld || strvec_contains (&names, "released");
    for (int64_t e = 0; all && e < job->elements; e++)
        job->cancelled[e] = true;
    for (size_t i = 0; i < names.n; i++) {
        int64_t element;

        if (sscanf (names.v[i], "cancel-%" SCNd64, &element) == 1
            && element >= 0 && element < job->elements)
            job->cancelled[element] = true;
    }
    return rc;
}

int spool_read_job (const char *dir, struct spool_job *job, struct error *err)
{
    _cleanup_ (spool_job_release) struct spool_job read = { 0 };
    _cleanup_free_ char *path = path_join (dir, "job.json");
    _cleanup_json_ struct json *v = NULL;
    int rc = file_look (path, err);

    memset (job, 0, sizeof (*job));
    if (rc <= 0)
        return rc < 0 ? -1 : 1;
    read.dir = xstrdup (dir);
    if (!(v = json_read_file (path, err)))
        return -1;
    if (json_record_read (v, job_fields, &read, err) < 0)
        return error_prefix (err, "%s", path);
    read.status = xcalloc ((size_t)read.elements + 1, sizeof (*read.status));
    read.cancelled =
        xcalloc ((size_t)read.elements + 1, sizeof (*read.cancelled));
    if (spool_read_marks (&read, err) < 0)
        return -1;
    *job = read;
    memset (&read, 0, sizeof (read));
    return 0;
}

int spool_read (const char *dir, struct spool_job *job, struct error *err)
{
    int rc = spool_read_job (dir, job, err);

    if (rc == 0 && (rc = read_events (job, err)) < 0)
        spool_job_release (job);
    return rc;
}

void spool_job_release (struct spool_job *job)
{
    free (job->dir);
    free (job->token);
    free (job->program);
    free (job->home);
    free (job->after);
    free (job->exclude);
    free (job->status);
    free (job->cancelled);
    memset (job, 0, sizeof (*job));
}

int spool_flock (const char *path, int how)
{
    int fd = file_open (path, O_RDWR | O_CREAT, 0600);
    int rc = 0;

    while (fd >= 0 && (rc = flock (fd, how)) < 0 && errno == EINTR)
        continue;
    if (rc < 0) {
        int saved = errno;

        close (fd);
        errno = saved;
        return -1;
    }
    return fd;
}

bool spool_job_over (const struct spool_job *job)
{
    for (int64_t e = 0; e < job->elements; e++) {
        if (job->status[e].state != ELEMENT_ENDED)
            return false;
    }
    return true;
}

char *spool_element_tag (const struct spool_job *job, int64_t element)
{
    return xasprintf ("FANFOLD_ELEMENT=%s.%" PRId64, job->token, element);
}
