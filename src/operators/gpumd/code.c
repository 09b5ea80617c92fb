/* SPDX-License-Identifier: BSD-3-Clause */
/* code.c - how GPUMD's programs end, gpumd and nep */
#include "base/base.h"

#include "operators/gpumd/gpumd.h"

/* An error is three or four lines behind its first one (error.cuh).  One of
 * CUDA may be the GPU's, or of atoms that went anywhere: nothing tells.
 */
static const struct code_ending endings[] = {
    { "Input Error:", .ending = ENDING_MISTAKE, .more = 3 },
    { "Error text: out of memory", .ending = ENDING_PASSING },
    { "Error text: no CUDA-capable device", .ending = ENDING_PASSING },
    { "a thickness < 2.5 radial cutoffs in a periodic direction",
      .ending = ENDING_MISTAKE,
      .message = "the cell is thinner than 2.5 cutoffs in one direction and "
                 "thicker than "
                 "10 in another; repeat it" },
    { 0 },
};

const struct code gpumd_code = {
    .name = "GPUMD",
    .first_words = "Welcome to use GPUMD",
    .last_words = "Finished running GPUMD.",
    .endings = endings,
};

const struct code nep_code = {
    .name = "nep",
    .first_words = "Welcome to use GPUMD",
    .last_words = "Finished running nep.",
    .endings = endings,
};
