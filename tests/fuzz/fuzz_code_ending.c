/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_code_ending.c - what codes print when they fail, and templates of lines:
 * the first byte says which code
 */
#include "base/base.h"

#include "fuzz.h"
#include "operators/deepmd/train.h"
#include "operators/lammps/lammps.h"
#include "operators/qe/qe.h"

static int check_key (const char *key, size_t line, void *arg,
                      struct error *err)
{
    size_t *last = arg;

    (void)err;
    must_hold (key[0] && line > *last, "a key for a line");
    *last = line;
    return 0;
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    const struct code *const codes[] = { &lammps_code, &pw_code, &dp_code };
    const char *text = (const char *)data + (size > 0);
    size_t len = size - (size > 0), line = 0;
    struct strbuf printed = STRBUF_INIT, message = STRBUF_INIT;
    const struct code *code = codes[size > 0 ? data[0] % 3 : 0];
    enum ending ending;

    must_hold (template_first_words (text, len, check_key, &line, NULL) == 0,
               "any template ends");
    strbuf_add (&printed, text, len);
    line = 0;
    must_hold (lammps_scan_lines (printed.buf, len, check_key, &line, NULL)
                   == 0,
               "any template of LAMMPS ends");
    for (size_t i = 0; i < printed.len; i++) {
        if (printed.buf[i] == '\0')
            printed.buf[i] = '?';
    }
    ending = code_judge (code, printed.buf, true, &message);
    must_hold (ending != ENDING_DONE, "words are no success");
    must_hold (message.len <= printed.len + 80, "a message of what is there");
    if (ending == ENDING_UNKNOWN || ending == ENDING_SILENT)
        must_hold (message.len == 0, "nothing is known");
    must_hold ((ending == ENDING_SILENT)
                   <= !strstr (printed.buf, code->first_words),
               "what spoke is not silent");
    strbuf_release (&printed);
    strbuf_release (&message);
    return 0;
}
