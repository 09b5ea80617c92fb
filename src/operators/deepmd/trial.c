/* SPDX-License-Identifier: BSD-3-Clause */
/* trial.c - has dp its backend?
 *
 * It imports that before it opens the input of a training, and `dp -h` does
 * not: so it is told to train by a file that is not there.
 */
#include "base/base.h"

#include "base/json.h"
#include "operators/deepmd/backend.h"
#include "operators/deepmd/train.h"
#include "operators/kit.h"
#include "operators/train/train_kit.h"

/* A name that dp takes for an input. */
#define NO_FILE "fanfold-trial.json"

static struct json *ask (const struct json *inputs)
{
    const char *name = json_get_string (inputs, "backend");
    const struct deepmd_backend *backend = deepmd_backend_find (name);
    struct json *question = json_object ();
    struct json *arguments = json_array ();

    if (backend && backend->flag)
        json_push (arguments, json_string (backend->flag));
    json_push (arguments, json_string ("train"));
    json_push (arguments, json_string (NO_FILE));
    json_set (question, "arguments", arguments);
    json_set (question, "backend", json_string (name));
    return question;
}

/* ", VALUE" of a line "... KEY VALUE" of dp's summary. */
static void add_told (const char *printed, const char *key, struct strbuf *says)
{
    const char *at = strstr (printed, key);

    if (!at)
        return;
    at += strlen (key);
    at += strspn (at, " ");
    strbuf_add_str (says, ", ");
    strbuf_add (says, at, strcspn (at, "\r\n"));
}

/* Where in dp it failed is not what a user can change. */
static void cut_place (struct strbuf *error)
{
    const char *place = strstr (error->buf, "; File ");

    if (place)
        strbuf_truncate (error, (size_t)(place - error->buf));
}

static enum grade judge (const struct json *question, const char *printed,
                         struct strbuf *says)
{
    const char *backend = json_get_string (question, "backend");
    _cleanup_ (strbuf_release) struct strbuf error = STRBUF_INIT;
    enum ending ending = code_judge (deepmd_train.code, printed, true, &error);
    enum grade grade = GRADE_BAD;

    if (strstr (error.buf, "FileNotFoundError")
        && strstr (error.buf, NO_FILE)) {
        strbuf_addf (says, "dp has the backend %s", backend);
        add_told (printed, "DeePMD version:", says);
        add_told (printed, "Computing Device:", says);
        grade = GRADE_GOOD;
    } else if (ending == ENDING_UNKNOWN || error.len == 0) {
        strbuf_addf (says,
                     "dp did not look for the input of a training with the "
                     "backend %s; see that `dp` of the stage is DeePMD-kit's",
                     backend);
        grade = GRADE_WARNING;
    } else {
        cut_place (&error);
        strbuf_addf (says, "%s%s", error.buf,
                     strstr (error.buf, "; ")
                         ? ""
                         : "; name another `dp` or `backend` in the stage, or "
                           "let setup of the profile load one that works");
    }
    return grade;
}

const struct code_trial deepmd_train_trial = { "dp", ask, judge };
