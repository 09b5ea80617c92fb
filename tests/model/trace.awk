# trace.awk - the journals of `scripts/simulate --journals` as what trace.pml reads:
# of each campaign what became of generations, then
# the events of each stage together, from the time it was prepared; a line is CODE A B
# and where it is from

function text(key,    at, rest)
{
    at = index($0, "\"" key "\":\"")
    if (!at)
        return ""
    rest = substr($0, at + length(key) + 4)
    return substr(rest, 1, index(rest, "\"") - 1)
}

function number(key,    at)
{
    at = index($0, "\"" key "\":")
    return at ? substr($0, at + length(key) + 3) + 0 : -1
}

function add(life, line)
{
    events[life] = events[life] line " seed " seed ", event " number("n") "\n"
}

# "0-3,7": a line of CODE for each
function add_range(life, code, range,    parts, ends, n, i, t)
{
    n = split(range, parts, ",")
    for (i = 1; i <= n; i++) {
        split(parts[i], ends, "-")
        for (t = ends[1] + 0; t <= (parts[i] ~ /-/ ? ends[2] + 0 : ends[1] + 0); t++)
            add(life, code " " t " 0")
    }
}

function outcomes(life,    at, rest, pairs, n, i, pair)
{
    at = index($0, "\"outcomes\":{")
    rest = substr($0, at + 12)
    rest = substr(rest, 1, index(rest, "}") - 1)
    n = split(rest, pairs, /","/)
    for (i = 1; i <= n; i++) {
        gsub(/"/, "", pairs[i])
        split(pairs[i], pair, ":")
        if (pair[1] == "ok")
            add_range(life, 13, pair[2])
    }
    for (i = 1; i <= n; i++) {
        split(pairs[i], pair, ":")
        if (pair[1] != "ok")
            add_range(life, 14, pair[2])
        if (pair[1] == "cancelled")
            cancelled[life] = cancelled[life] "," pair[2]
    }
}

# Of a dependency job, which stands for no chunk, there is no submission here.
function of_token(code, second,    token)
{
    token = text("token")
    if (token in life_of)
        add(life_of[token], code " " number_of[token] " " second)
}

# Of the campaign, not of one stage.
function add_generation(line)
{
    generations[campaigns] = generations[campaigns] line " seed " seed ", event " number("n") "\n"
}

# What a request supersedes, then its own number.
function add_superseded(    rest, parts, n, i)
{
    rest = substr($0, index($0, "\"supersedes\":[") + 14)
    rest = substr(rest, 1, index(rest, "]") - 1)
    n = split(rest, parts, /"generation":/)
    for (i = 2; i <= n; i++)
        add_generation("23 " parts[i] + 0 " 0")
}

/^seed / {
    seed = $2
    delete life
    delete place_of
    generations[++campaigns] = "20 0 0 seed " seed "\n"
    places = 0
    next
}

!/^[{]/ { next }

{
    ev = text("ev")
    at = seed "," number("iteration") "," text("stage")
    here = life[at]
}

/"renamed":\{"/ {
    rest = substr($0, index($0, "\"renamed\":{") + 11)
    rest = substr(rest, 1, index(rest, "}") - 1)
    gsub(/"/, "", rest)
    n = split(rest, names, ",")
    for (i = 1; i <= n; i++) {
        split(names[i], pair, ":")
        for (it = 0; it < 100; it++) {
            if ((seed "," it "," pair[1]) in place_of)
                place_of[seed "," it "," pair[2]] = place_of[seed "," it "," pair[1]]
            if ((seed "," it "," pair[1]) in life)
                life[seed "," it "," pair[2]] = life[seed "," it "," pair[1]]
        }
    }
}

ev == "preparing" {
    if (!(at in place_of))
        place_of[at] = ++places
    add_generation("21 " number("generation") " " place_of[at])
}
(ev == "campaign" || ev == "recovered") && number("generation") > 0 {
    add_generation("26 " number("generation") " 0")
}
ev == "request" && /"supersedes":\[/ {
    add_superseded()
    if (text("kind") == "reset")
        delete place_of # the directories around them have moved
    add_generation("24 " number("number") " 0")
}
ev == "replaced" { add_generation("25 " number("number") " 0") }
ev == "prepared" {
    add_generation("22 " number("generation") " 0")
    here = life[at] = ++lives
    subs[here] = ids[here] = 0
    add(here, "0 " number("tasks") " 0")
    add_range(here, 18, text("ok"))
}
ev == "attempt" {
    open[here] = 1
    add(here, "1 0 0")
    add_range(here, 2, text("tasks"))
}
ev == "intent" {
    token = text("token")
    life_of[token] = here
    number_of[token] = subs[here]++
    add(here, "3 " number("chunk") " " subs[here])
}
ev == "recorded" {
    token = text("token")
    if (token in life_of) {
        id = text("id")
        if (!((here_ = life_of[token]) "," id in id_of))
            id_of[here_ "," id] = ++ids[here_]
        of_token(4, id_of[here_ "," id])
    }
}
ev == "released" { of_token(5, 0) }
ev == "empty" { of_token(6, 0) }
ev == "absent" { of_token(7, 0) }
ev == "refused" { of_token(8, 0) }
ev == "swept" { of_token(9, 0) }
ev == "cancelling" { of_token(10, 0) }
ev == "over" { of_token(11, 0) }
ev == "back" { of_token(12, 0) }
ev == "results" { outcomes(here) }
ev == "ended" { of_token(15, 0) }
ev == "closed" {
    open[here] = 0
    cancelled[here] = ""
    add(here, "16 0 0")
}
ev == "request" && text("kind") == "resume" {
    for (at in life) {
        if (open[life[at]] && cancelled[life[at]])
            add_range(life[at], 19, substr(cancelled[life[at]], 2))
        cancelled[life[at]] = ""
    }
}
ev == "stage" && here { add(here, "17 0 0") }

END {
    for (i = 1; i <= campaigns; i++)
        printf "%s", generations[i]
    for (i = 1; i <= lives; i++)
        printf "%s", events[i]
    print "99 0 0"
}
