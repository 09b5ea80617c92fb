/* SPDX-License-Identifier: BSD-3-Clause */
/* label_collect.c - the step `collect` of operators that label: the frames of
 * all tasks in one file
 */
#include "base/base.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "operators/label/label_kit.h"

static int append_file (int fd, const char *from, const char *to,
                        struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int rc = file_read (from, LABEL_FILE_MAX_BYTES, &text, err);

    if (rc == 0 && file_write_all (fd, text.buf, text.len, err) < 0)
        rc = error_prefix (err, "%s", to);
    return rc;
}

/* Tasks that have no frame are left out; *labelled is raised for each other. */
static int write_dataset (const struct json *frames, const char *path,
                          int64_t *labelled, struct error *err)
{
    int fd = file_open (path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int rc = 0;

    if (fd < 0)
        return error_errno (err, "cannot write '%s'", path);
    for (size_t i = 0; rc == 0 && i < json_count (frames); i++) {
        const struct json *frame = json_at (frames, i);

        if (json_is_null (frame))
            continue;
        rc = append_file (fd, json_as_string (frame), path, err);
        ++*labelled;
    }
    if (close (fd) < 0 && rc == 0)
        rc = error_errno (err, "cannot write '%s'", path);
    return rc;
}

static int collect_frames (const struct step_task *task, struct error *err)
{
    struct json *frames, *params;
    const char *path;
    int64_t labelled = 0;

    if (json_want_array (task->stacked, "frame", &frames, err) < 0)
        return error_prefix (err, "stacked");
    if (step_task_output (task, "dataset", &path, err) < 0
        || write_dataset (frames, path, &labelled, err) < 0)
        return -1;
    params = json_object ();
    json_set (params, "labelled", json_int (labelled));
    json_set (params, "failed",
              json_int ((int64_t)json_count (frames) - labelled));
    return step_write ("params.json", params, err);
}

enum step_status label_collect (struct error *err)
{
    _cleanup_ (step_task_release) struct step_task task = STEP_TASK_INIT;
    int rc = step_task_read (NULL, &task, err);

    if (rc == 0)
        rc = collect_frames (&task, err);
    return rc == 0 ? STEP_OK : STEP_FAILED;
}
