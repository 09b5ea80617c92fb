/* SPDX-License-Identifier: BSD-3-Clause */
/* explain_try.c - where a task's newest try ran, and what it used */
#include "base/base.h"

#include "base/json.h"
#include "base/units.h"
#include "commands/explain_try.h"
#include "commands/task_record.h"

/* "memory of NUMA nodes 0-1 first" */
static void tell_memory (const struct json *policy, struct strbuf *out)
{
    const char *mode = json_get_string (policy, "mode");
    const char *how = " in turn";

    if (strcmp (mode, "preferred") == 0)
        how = " first";
    else if (strcmp (mode, "strict") == 0)
        how = " alone";
    strbuf_addf (out, "memory of NUMA nodes %s%s",
                 json_get_string (policy, "nodes"), how);
}

static void tell_place (const struct task_record *record, struct strbuf *out)
{
    const struct json *start = record->start;
    const struct json *memory = json_get (start, "memory");
    const char *gpus = json_get_string (start, "gpus");

    strbuf_addf (out, "newest try: on %s, CPUs %s",
                 json_get_string (record->claim, "host"),
                 json_get_string (start, "cores"));
    if (memory) {
        strbuf_add_str (out, ", ");
        tell_memory (memory, out);
    }
    if (*gpus)
        strbuf_addf (out, ", GPUs %s", gpus);
    strbuf_add_char (out, '\n');
}

static void tell_differences (const struct json *start, struct strbuf *out)
{
    const char *cores = json_get_string (start, "cores_wanted");
    const struct json *memory = json_get (start, "memory_wanted");

    if (*cores)
        strbuf_addf (
            out,
            "  asked for were CPUs %s: something else on the node binds "
            "processes, or they are not there; ask who runs it, or set "
            "bind: none in the profile\n",
            cores);
    if (!memory)
        return;
    strbuf_add_str (out, "  asked for was ");
    tell_memory (memory, out);
    strbuf_add_str (out, json_get (start, "memory")
                             ? ": something else on the node chooses memory "
                               "for processes; ask who runs it\n"
                             : ": the system forbids a job to say so (a "
                               "container may), or they are not there\n");
}

static void tell_node (const struct json *claim, struct strbuf *out)
{
    const char *differs = json_get_string (claim, "node_differs");

    if (*differs)
        strbuf_addf (out,
                     "  its node is not as topology of the profile says (%s), "
                     "and was taken as it is; record it again with `fanfold "
                     "probe`, or keep jobs to nodes that are alike\n",
                     differs);
}

static void tell_use (const struct json *end, struct strbuf *out)
{
    int64_t peak_bytes = json_get_int (end, "peak_bytes");

    if (!end)
        return;
    if (json_get (end, "version_line"))
        strbuf_addf (out, "  code: '%s'\n",
                     json_get_string (end, "version_line"));
    strbuf_addf (out, "  used: %.3g s of CPU time in %.3g s",
                 json_get_double (end, "cpu_s"),
                 json_get_double (end, "wall_s"));
    if (peak_bytes > 0) {
        strbuf_add_str (out, ", at most ");
        format_bytes (peak_bytes, out);
        strbuf_add_str (out, " of memory");
    }
    if (json_get (end, "energy_j"))
        strbuf_addf (out, ", %.3g kJ of energy of the node's processors",
                     json_get_double (end, "energy_j") / 1e3);
    strbuf_add_char (out, '\n');
}

void explain_try (const struct task_record *record, struct strbuf *out)
{
    if (!record->start)
        return;
    tell_place (record, out);
    tell_differences (record->start, out);
    tell_node (record->claim, out);
    tell_use (record->end, out);
}
