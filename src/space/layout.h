/* SPDX-License-Identifier: BSD-3-Clause */
/* layout.h - the one place that spells a path of the data space
 *
 * All paths are relative to the campaign directory.  Ids have six digits or
 * more. Every function appends to 'path'.
 */
#ifndef SPACE_LAYOUT_H
#define SPACE_LAYOUT_H

/* The directory of the campaign whose function is called, from that of the
 * call (absolute).  Caller frees.
 */
char *layout_caller (const char *call_dir);

/* A stage in an iteration: <stage>/<code>/iter/<iter>.  What is there was made
 * by one preparation, a generation, by whose number its run files are known.
 */
struct stage_place {
    const char *stage;
    const char *code;
    int iteration;
    int generation; /* 0: not known, or none */
};

/* May a stage have this name?  [a-z][a-z0-9_]*, at most 32, not reserved
 * (dataset, config, kept, calls); of a step such words joined by dots, together
 * at most LAYOUT_STAGE_NAME_MAX.
 */
enum { LAYOUT_STAGE_NAME_MAX = 100 };
bool layout_stage_name_ok (const char *name);

/* train/deepmd/iter/000000 */
void layout_stage_dir (const struct stage_place *place, struct strbuf *path);

/* How much of a path that lies below such a directory that is; 0: of another.
 */
size_t layout_stage_dir_length (const char *path);

/* What is in it: LAYOUT_OUTPUTS, ... */
void layout_stage_path (const struct stage_place *place, const char *name,
                        struct strbuf *path);

/* .../job/000002 and its out */
void layout_task_dir (const struct stage_place *place, int task,
                      struct strbuf *path);
void layout_task_out (const struct stage_place *place, int task,
                      struct strbuf *path);
/* dataset/<format>/iter/<iter> */
void layout_dataset_dir (const char *format, int iteration,
                         struct strbuf *path);

/* config/iter/<iter>/config.json, and for a number > 0 config.<number>.json */
void layout_config_file (int iteration, int number, struct strbuf *path);

/* .fanfold/run/<generation>[/<attempt>[/<chunk>]] */
void layout_run (int generation, struct strbuf *path);
void layout_run_attempt (int generation, int attempt, struct strbuf *path);
void layout_run_chunk (int generation, int attempt, int chunk,
                       struct strbuf *path);

/* .fanfold/inputs/<16 digits of sha256>/<name> */
void layout_input_copy (const char *sha256, const char *name,
                        struct strbuf *path);

/* .fanfold/programs/<16 digits of sha256> */
void layout_programs (const char *sha256, struct strbuf *path);

/* .fanfold/making/<generation> */
void layout_making_dir (int generation, struct strbuf *path);
/* .fanfold/publishing/<epoch>: data, before the driver with that lease puts
 * them in their place
 */
void layout_publishing_dir (int64_t epoch, struct strbuf *path);
/* .fanfold/replaced/<number>: the generation that has the number; or what a
 * replacement with it moved besides, each at its path below
 */
void layout_replaced_dir (int number, struct strbuf *path);
/* kept/<number>: data of before the reset that is replacement 'number', initial
 * ones since
 */
void layout_kept_dir (int number, struct strbuf *path);
/* calls/<function>/<number>: the campaign that a call is */
void layout_call_dir (const char *function, int number, struct strbuf *path);
/* .fanfold/workspace/<stage>/<task>: kept for all runs of a task of a group */
void layout_workspace (const char *stage, int task, struct strbuf *path);

/* .fanfold/journal/<epoch> */
void layout_journal_segment (int64_t epoch, struct strbuf *path);

#define LAYOUT_STATE_FILE "state.json"
#define LAYOUT_DATASET_DIR "dataset"
#define LAYOUT_DATASET_EXTXYZ LAYOUT_DATASET_DIR "/extxyz/iter"
#define LAYOUT_DATASET_FILE "dataset.extxyz" /* of one of its iterations */
#define LAYOUT_CONFIG_DIR "config"
#define LAYOUT_KEPT_DIR "kept"
#define LAYOUT_CALLS_DIR "calls"
#define LAYOUT_CALL_UP "../../.." /* from a call: the campaign it is of */
#define LAYOUT_HIDDEN_DIR ".fanfold"
#define LAYOUT_JOURNAL_DIR ".fanfold/journal"
#define LAYOUT_RUN_DIR ".fanfold/run"
#define LAYOUT_REPLACED_DIR ".fanfold/replaced"
#define LAYOUT_WORKSPACE_DIR ".fanfold/workspace"
#define LAYOUT_LOCK_DIR ".fanfold/lock"
#define LAYOUT_WAKE_DIR ".fanfold/wake"
#define LAYOUT_CHAIN_DIR                                                       \
    ".fanfold/chain" /* script and logs of dependency jobs */
#define LAYOUT_IMPORTED_DIR ".fanfold/imported" /* data of other forms */
#define LAYOUT_REQUESTS_DIR ".fanfold/requests"
#define LAYOUT_INPUTS_DIR ".fanfold/inputs"     /* copies; layout_input_copy */
#define LAYOUT_PROGRAMS_DIR ".fanfold/programs" /* copies; layout_programs */
#define LAYOUT_DIGESTS ".fanfold/digests.json"  /* base/digest_cache.h */
#define LAYOUT_THEN_DIR ".fanfold/then" /* what `then:` of a call is given */
#define LAYOUT_NOTICES_DIR ".fanfold/notices" /* what `notify:` is given */
#define LAYOUT_DOCTOR_DIR ".fanfold/doctor"   /* trials and probe jobs */
#define LAYOUT_ALLOCATION_DIR                                                  \
    ".fanfold/allocation"           /* jobs that run within a job */
#define LAYOUT_HELD ".fanfold/held" /* why an edit is not taken on, as said */
#define LAYOUT_MAKING_DIR                                                      \
    ".fanfold/making" /* generations, before they appear */
#define LAYOUT_PUBLISHING_DIR ".fanfold/publishing"
#define LAYOUT_REMOVING_DIR ".fanfold/removing" /* trees on their way out */
#define LAYOUT_SITE_DIR ".fanfold/site" /* what schedulers told of the site */

/* Names in a stage's directory. */
#define LAYOUT_OUTPUTS "outputs.json"
#define LAYOUT_SEEN "seen.json"         /* how its artifacts look */
#define LAYOUT_WITNESS "witness.json"   /* engine/act/witness.h */
#define LAYOUT_REMOVED "removed.json"   /* engine/history/removal.h */
#define LAYOUT_OUT "out"                /* what collect made */
#define LAYOUT_PREPARED "prepared"      /* what prepare made */
#define LAYOUT_JOBS "job"               /* its tasks */
#define LAYOUT_TASK LAYOUT_JOBS "/%06d" /* one of them */
#define LAYOUT_DAMAGED LAYOUT_TASK ".damaged-%" PRIuMAX /* by its inode */
/* What the task of a stage that has one made. */
#define LAYOUT_ONLY_OUT LAYOUT_JOBS "/000000/out"

#define LAYOUT_STAGE_MANIFEST "stage.json"
#define LAYOUT_ORIGINS "inputs.json"
#define LAYOUT_SLICES "slices.jsonl"
#define LAYOUT_SLICES_INDEX "slices.index"

/* Names inside the run directories. */
#define LAYOUT_TAKEN "taken"            /* run/<generation>/ */
#define LAYOUT_SUMMARY "summary.json"   /* ...; engine/act/stage_summary.h */
#define LAYOUT_CHECKPOINTS "checkpoint" /* run/<generation>/ */
#define LAYOUT_CLOSED "closed"          /* .../<attempt>/ */
#define LAYOUT_JOB_MANIFEST "job.json"  /* .../<attempt>/<chunk>/ */
#define LAYOUT_JOB_OUTPUT "output"      /* what the job printed, if any */
#define LAYOUT_SCRIPT "script"          /* .../<attempt>/<chunk>/ */
#define LAYOUT_SUBMISSION "submission.json" /* .../<attempt>/<chunk>/ */
#define LAYOUT_RESULTS_PREFIX "results-"    /* of LAYOUT_RESULTS */
#define LAYOUT_SLOT_LOG "slot-%d.log"       /* work/<element>.<n>/ */
#define LAYOUT_WORKER                                                          \
    "worker-%d" /* work/<element>.<n>/: where that of a slot runs */
#define LAYOUT_LOG_TASK                                                        \
    "task %d command" /* in its first line: whose output it is now */
#define LAYOUT_RESULT_FILE "result.json" /* job/<task>/out/ */
#define LAYOUT_TASK_LOG "log"            /* job/<task>/: what it printed */
#define LAYOUT_TASK_IN "in"              /* ... the input that was completed */
#define LAYOUT_TASK_RAW "raw"            /* ... what its code left (`raw:`) */

/* Formats of (element, n), both int64_t; n numbers the claims of an element. */
#define LAYOUT_RESULTS LAYOUT_RESULTS_PREFIX "%" PRId64 ".%" PRId64
#define LAYOUT_OUTPUT "output-%" PRId64 ".%" PRId64
#define LAYOUT_WORK "work/%" PRId64 ".%" PRId64 /* tasks work below that */
#define LAYOUT_WORK_TASK "/%06d" /* in LAYOUT_WORK: its directory */
#define LAYOUT_WORK_LOG LAYOUT_WORK_TASK ".log" /* what it printed */
#define LAYOUT_WORK_PLACE                                                      \
    ".place" /* behind that directory's name: its new place */
#define LAYOUT_PREPARE "prepare" /* run/<generation>/LAYOUT_STEP */
#define LAYOUT_COLLECT "collect"
#define LAYOUT_STEP "%s.%" PRId64 /* step, epoch of the driver that ran it */
#define LAYOUT_STEP_LOG "log"     /* what it printed */

/* --- beside the data space: what is installed with the program --- */

/* "PREFIX/share/fanfold/NAME" of the program at 'PREFIX/bin/fanfold', there or
 * not.  Caller frees.
 */
char *layout_installed (const char *program, const char *name);

#endif /* !SPACE_LAYOUT_H */
