/* SPDX-License-Identifier: BSD-3-Clause */
/* super_operator_scene.h - a campaign with a super-operator, to be edited */
#ifndef TESTS_SUPER_OPERATOR_SCENE_H
#define TESTS_SUPER_OPERATOR_SCENE_H

#include "compile_scene.h"

static const char good[] = /* the line's number */
    "format: 1\n"
    "campaign: c\n"
    "stop: {iterations: 2}\n"
    "stages:\n"
    "  train:\n" /* 5 */
    "    uses: dp.train\n"
    "    with: {config: {a: 1}, init: [pw.in, md.in], data: [data]}\n"
    "    steps: {run: {success: 0.5}}\n"
    "  use:\n"
    "    uses: my.use\n" /* 10 */
    "    with: {models: train.models, n: train.count}\n"
    "history: {n: train.count, c: max(train.loss)}\n"
    "operators:\n"
    "  dp.train:\n"
    "    inputs:\n" /* 15 */
    "      config: {type: map}\n"
    "      init: {type: file, list: true}\n"
    "      data: {type: dir, list: true}\n"
    "    steps:\n"
    "      prep: {uses: dp.prep, with: {config: inputs.config, n: 2}}\n" /* 20
                                                                          */
    "      run:\n"
    "        uses: dp.run\n"
    "        with: {name: prep.names, init: inputs.init, data: [inputs.data, "
    "prep.dirs]}\n"
    "    outputs: {models: run.model, loss: run.loss}\n"
    "  dp.prep:\n" /* 25 */
    "    inputs: {config: {type: map}, n: {type: int}}\n"
    "    outputs: {names: {type: string, list: true}, dirs: {type: dir, list: "
    "true}}\n"
    "    command: [run]\n"
    "  dp.run:\n"
    "    fan_out: [name, init]\n" /* 30 */
    "    inputs: {name: {type: string}, init: {type: file}, data: {type: dir, "
    "list: true}}\n"
    "    outputs: {model: {type: file}, loss: {type: float}}\n"
    "    command: [run]\n"
    "  my.use:\n"
    "    inputs: {models: {type: file, list: true}, n: {type: int}}\n" /* 35 */
    "    command: [run]\n"
    "  other.run:\n"
    "    fan_out: [name]\n"
    "    inputs: {name: {type: string}, init: {type: file, list: true}, data: "
    "{type: dir, list: true}}\n"
    "    outputs: {model: {type: file}, loss: {type: float}}\n" /* 40 */
    "    command: [run]\n";

static inline void edit (const char *text, const char *from, const char *to,
                         struct strbuf *out)
{
    const char *at = strstr (text, from);

    if (!at)
        fail_msg ("there is no '%s' to edit", from);
    strbuf_add (out, text, (size_t)(at - text));
    strbuf_add_str (out, to);
    strbuf_add_str (out, at + strlen (from));
}

#endif /* !TESTS_SUPER_OPERATOR_SCENE_H */
