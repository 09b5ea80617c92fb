/* SPDX-License-Identifier: BSD-3-Clause */
/* parity.c - the output `parity` of a training operator */
#include "base/base.h"

#include <unistd.h>

#include "base/file.h"
#include "formats/lines.h"
#include "operators/train/parity.h"
#include "operators/train/train_kit.h"

static int add_atom (struct lines *lines, enum parity_columns columns,
                     struct file_writer *writer, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    double forces[6];
    const double *labelled = columns == LABELLED_FIRST ? forces : forces + 3;
    const double *predicted = columns == LABELLED_FIRST ? forces + 3 : forces;

    if (!lines_take_finite (lines, forces, 6) || !lines_at_end (lines))
        return lines_error (lines, err, "is not six numbers");
    for (int i = 0; i < 3; i++)
        strbuf_addf (&text, "%.9g %.9g\n", labelled[i], predicted[i]);
    return file_writer_add (writer, text.buf, text.len, err);
}

int train_write_parity (const struct training *t, const char *table,
                        enum parity_columns columns, struct error *err)
{
    _cleanup_ (lines_close) struct lines lines = LINES_INIT;
    _cleanup_ (file_writer_release) struct file_writer writer =
        FILE_WRITER_INIT;
    const char *path;
    int rc;

    if (step_task_output (&t->task, "parity", &path, err) < 0
        || lines_open (&lines, table, 0, err) < 0
        || file_writer_open (&writer, path, err) < 0)
        return -1;
    while ((rc = lines_next (&lines, err)) == 1) {
        if (!lines_take_prefix (&lines, "#")
            && add_atom (&lines, columns, &writer, err) < 0)
            return -1;
    }
    return rc < 0 ? -1 : file_writer_commit (&writer, err);
}

void train_no_parity (const struct error *why)
{
    _cleanup_ (strbuf_release) struct strbuf line = STRBUF_INIT;

    strbuf_addf (&line, "there is no output 'parity': %s\n", why->text);
    (void)file_write_all (STDERR_FILENO, line.buf, line.len, NULL);
}
