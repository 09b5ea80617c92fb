/* SPDX-License-Identifier: BSD-3-Clause */
/* adapter.c - what does not depend on the scheduler */
#include "config.h"

#include <stdlib.h>

#include "adapter.h"
#include "base/file.h"
#include "base/process.h"
#include "base/strbuf.h"

int scheduler_write_script (const struct scheduler *scheduler,
                            const struct array_job *job,
                            const char *path,
                            struct error *err)
{
    struct strbuf script = STRBUF_INIT;
    int rc = -1;

    if (scheduler->adapter->render (scheduler, job, &script, err) == ANSWER_OK
        && file_make_parent (path, err) == 0)
        rc = file_write_atomic (path, script.buf, script.len, err);
    strbuf_release (&script);
    return rc;
}

void scheduler_missing_programs (const char *const *programs,
                                 struct strbuf *missing)
{
    for (; programs && *programs; programs++) {
        char *path = process_which (*programs, NULL);

        if (!path)
            strbuf_addf (missing, "%s%s", missing->len > 0 ? ", " : "",
                         *programs);
        free (path);
    }
}

const char *answer_name (enum answer answer)
{
    switch (answer) {
    case ANSWER_OK:
        return "ok";
    case ANSWER_TRY_LATER:
        return "try later";
    case ANSWER_REFUSED:
        return "refused";
    case ANSWER_BROKEN:
        return "broken";
    }
    return "?";
}
