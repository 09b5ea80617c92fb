/* SPDX-License-Identifier: BSD-3-Clause */
/* findings_text.c - findings for people */
#include "config.h"

#include "base/findings.h"
#include "base/strbuf.h"
#include "report/findings_text.h"

void findings_text (const struct findings *findings, struct strbuf *out)
{
    for (size_t i = 0; i < findings->n; i++) {
        const struct finding *finding = &findings->v[i];

        strbuf_addf (out, "%-7s  %s: %s\n", grade_name (finding->grade),
                     finding->subject, finding->text);
        if (finding->advice[0])
            strbuf_addf (out, "         -> %s\n", finding->advice);
    }
    strbuf_addf (out, "%zu good, %zu to look at, %zu bad\n",
                 findings_count (findings, GRADE_GOOD),
                 findings_count (findings, GRADE_WARNING),
                 findings_count (findings, GRADE_BAD));
}
