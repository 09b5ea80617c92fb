# tamper.awk - journals of `scripts/simulate --journals` with one event that is wrong
#
# -v how=released: that of a job is missing; recorded: likewise; results: one twice;
# intent: one twice; preparing, replaced: one is missing; number: one is given twice; ok: one tells of the tasks of a later one; renewed: tasks are
# cancelled, resumed and judged once more in one attempt

function text(key,    at, rest)
{
    at = index($0, "\"" key "\":\"")
    rest = substr($0, at + length(key) + 4)
    return at ? substr(rest, 1, index(rest, "\"") - 1) : ""
}

function iteration(    at)
{
    at = index($0, "\"iteration\":")
    return substr($0, at + 12) + 0
}

{
    ev = text("ev")
    lines[NR] = $0
}
ev == "intent" { jobs[text("token")] = 1 }
!changed && ev == how && (how == "released" || how == "recorded") {
    if (text("token") in jobs) {
        changed = 1
        lines[NR] = ""
    }
}
!changed && ev == how && (how == "preparing" || how == "replaced") {
    changed = 1
    lines[NR] = ""
}
!changed && how == "number" && ev == "preparing" && /"generation":2,/ {
    changed = 1
    sub("\"generation\":2,", "\"generation\":1,", lines[NR])
}
!changed && ev == how && (how == "results" || how == "intent") {
    changed = 1
    lines[NR] = $0 "\n" $0
}
!changed && how == "renewed" && ev == "results" && /"outcomes":\{"(failed|lost)":/ {
    changed = 1
    cancelled = $0
    sub("\"(failed|lost)\":", "\"cancelled\":", cancelled)
    lines[NR] = cancelled "\n" \
        "{\"ev\":\"request\",\"iteration\":" iteration() ",\"kind\":\"resume\",\"n\":0}\n" $0
}
/^seed / { ok = "" }
!changed && how == "ok" && ev == "results" && text("ok") != "" {
    if (ok != "" && stage == text("stage")) {
        changed = 1
        sub("\"ok\":\"" ok "\"", "\"ok\":\"" text("ok") "\"", lines[at])
    }
    ok = text("ok")
    stage = text("stage")
    at = NR
}

END {
    for (i = 1; i <= NR; i++)
        if (lines[i] != "")
            print lines[i]
    exit !changed
}
