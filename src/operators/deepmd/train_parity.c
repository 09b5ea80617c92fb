/* SPDX-License-Identifier: BSD-3-Clause */
/* train_parity.c - a trained model on the frames that were held out, by `dp
 * test`
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "operators/deepmd/train.h"
#include "operators/deepmd/train_input.h"
#include "operators/train/parity.h"

/* The list of systems, and what the names of dp's tables begin with. */
#define HELD_OUT "held_out"

/* Where the systems of the held-out frames are, a line each; false: there are
 * none.
 */
static bool list_held_out (struct strbuf *text)
{
    _cleanup_json_ struct json *input = json_read_file (DEEPMD_INPUT, NULL);
    const struct json *data =
        json_get (json_get (input, "training"), "validation_data");
    const struct json *systems = json_get (data, "systems");

    for (size_t i = 0; i < json_count (systems); i++)
        strbuf_addf (text, "%s\n", json_as_string (json_at (systems, i)));
    return text->len > 0;
}

static enum step_status test (const struct training *t, const char *model,
                              struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf systems = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    enum step_status status;

    if (!list_held_out (&systems))
        return STEP_OK;
    if (file_write_atomic (HELD_OUT, systems.buf, systems.len, err) < 0)
        return STEP_FAILED;
    strvec_push (&words, "test");
    strvec_push (&words, "-m");
    strvec_push (&words, model);
    strvec_push (&words, "-f");
    strvec_push (&words, HELD_OUT);
    strvec_push (&words, "-n"); /* all: 0 is none for DeePMD-kit 2 */
    strvec_push (&words, "1000000000");
    strvec_push (&words, "-d");
    strvec_push (&words, HELD_OUT);
    status = deepmd_run (t, train_program_alone, &words, err);
    if (status == STEP_OK
        && train_write_parity (t, HELD_OUT ".f.out", LABELLED_FIRST, err) < 0)
        status = STEP_FAILED;
    return status;
}

void deepmd_make_parity (const struct training *t, const char *model)
{
    struct error why = ERROR_INIT;

    if (test (t, model, &why) != STEP_OK)
        train_no_parity (&why);
}
