/* SPDX-License-Identifier: BSD-3-Clause */
/* run_labels.c - what a labelling of DP-GEN that was not looked at has finished
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "formats/extxyz/extxyz.h"
#include "formats/frame.h"
#include "formats/frame_reader.h"
#include "import/draft.h"
#include "import/run_labels.h"

enum { OUTPUT_MAX_BYTES = 64 << 20 };

#define TAKEN_OVER "data/taken-over.extxyz"

/* The last frame of a result, if it is a label: converged, with energy and
 * forces.
 */
static bool read_label (const char *path, struct strbuf *out)
{
    struct frame_options options = FRAME_OPTIONS_INIT;
    struct frame_reader *reader = frame_reader_open (path, &options, NULL);
    _cleanup_ (frame_release) struct frame frame = FRAME_INIT;
    bool labelled = false;
    int rc = 0;

    while (reader && (rc = frame_reader_next (reader, &frame, NULL)) == 1)
        labelled = frame.has_energy && frame.forces;
    labelled = labelled && rc == 0;
    if (labelled)
        extxyz_format (&frame, out);
    frame_reader_close (reader);
    return labelled;
}

/* Of one task; false: it has no label. */
static bool take_task (const char *dir, const char *task, struct strbuf *out)
{
    static const char *const results[] = { "OUTCAR", "vasprun.xml", "output",
                                           "OUT.ABACUS/running_scf.log" };
    bool taken = false;

    for (size_t i = 0; i < ARRAY_SIZE (results) && !taken; i++) {
        _cleanup_free_ char *path =
            xasprintf ("%s/%s/%s", dir, task, results[i]);

        if (file_exists (path))
            taken = read_label (path, out);
    }
    return taken;
}

/* Did pw.x run here?  Of it DP-GEN brings back what it prints, which has no
 * reader; Fanfold reads its XML.
 */
static bool is_of_pw (const char *dir, const char *task)
{
    _cleanup_free_ char *path = xasprintf ("%s/%s/output", dir, task);
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    struct error ignored = ERROR_INIT;

    return file_read (path, OUTPUT_MAX_BYTES, &text, &ignored) == 0
           && strstr (text.buf, "Program PWSCF");
}

int run_labels_take (const char *dir, struct draft *draft, struct json *data,
                     struct error *err)
{
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    size_t tasks = 0, taken = 0, of_pw = 0;

    if (file_list_dir (dir, &names, err) < 0)
        return -1;
    for (size_t i = 0; i < names.n; i++) {
        if (strncmp (names.v[i], "task.", 5) != 0)
            continue;
        tasks++;
        if (take_task (dir, names.v[i], &text))
            taken++;
        else
            of_pw += is_of_pw (dir, names.v[i]);
    }
    if (taken > 0)
        json_push (data,
                   json_string (draft_add_file (draft, TAKEN_OVER, text.buf)));
    draft_remark (draft,
                  "%s: of %zu tasks %zu have labels, which are data of the "
                  "campaign (%s); the others are not labelled again",
                  dir, tasks, taken, TAKEN_OVER);
    if (of_pw > 0)
        draft_remark (draft,
                      "%s: of %zu tasks there is an output of pw.x, which "
                      "Fanfold does not read: these labels are lost.  To keep "
                      "them let DP-GEN end this labelling (record.dpgen has "
                      "stage 8), then import again",
                      dir, of_pw);
    return 0;
}
