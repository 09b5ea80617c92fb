/* SPDX-License-Identifier: BSD-3-Clause */
/* data.c - what frames of any files hold, and what looks wrong with them */
#include "base/base.h"

#include "commands/command.h"
#include "commands/data_report.h"
#include "commands/frame_files.h"
#include "formats/frame.h"

static int take_frame (const struct frame *frame,
                       const struct frame_place *place, void *arg,
                       struct error *err)
{
    struct data_report *report = arg;
    const struct frame_mark mark = { place->file, place->number };

    (void)err;
    dataset_stats_add (&report->stats, frame, mark);
    closest_pairs_add (&report->closest, frame, mark);
    like_frames_add (&report->like, frame, mark);
    return 0;
}

static enum exit_status show_data (const struct invocation *invocation)
{
    _cleanup_ (data_report_release) struct data_report report =
        DATA_REPORT_INIT;
    struct frame_files files;
    struct error err = ERROR_INIT;
    enum exit_status status = frame_files_init (&files, invocation);

    report.paths = invocation->args;
    report.n_paths = (size_t)invocation->n_args;
    if (status == STATUS_DONE
        && frame_files_each (&files, report.paths, report.n_paths, take_frame,
                             &report, &err)
               < 0)
        status = complain (STATUS_FAILED, "%s", err.text);
    if (status == STATUS_DONE) {
        data_report_finish (&report);
        if (invocation_option (invocation, "json"))
            data_report_print_json (&report, &files);
        else
            data_report_print (&report);
    }
    frame_files_tell (&files);
    frame_files_release (&files);
    return status;
}

static const struct command_option options[] = {
    FRAME_FILES_SET,
    { "json", NULL, "print the numbers as JSON" },
    { 0 },
};

const struct command data_command = {
    .name = "data",
    .arguments = "FILE...",
    .summary = "tell what frames of any files hold, and what looks wrong",
    .min_args = 1,
    .max_args = 1000000,
    .pages = true,
    .options = options,
    .run = show_data,
};
