#!/bin/sh
# 0906-hardened - what configure adds against overflows is in the programs
. "$abs_top_srcdir/tests/cli/tap.sh"

# variable NAME: as configure set it.
variable() {
    sed -n "s/^$1 *= *//p" "$abs_top_builddir/Makefile"
}
cflags=$(variable HARDENING_CFLAGS)
if ! command -v readelf >/dev/null; then
    not_here "readelf"
    done_testing
fi
if [ -z "$cflags" ]; then
    not_here "hardening, of which configure was told --disable-hardening"
    done_testing
fi

# Debug information has names of its own: what is linked is looked at.
# hardened PROGRAM
hardened() {
    program=$abs_top_builddir/$1
    has "$1 may lie anywhere (PIE)" "Type:DYN" "$(readelf -hW "$program" | tr -d ' ')"
    has "... its tables of functions are read-only (RELRO)" GNU_RELRO \
        "$(readelf -lW "$program")"
    has "... from the beginning (BIND_NOW)" NOW "$(readelf -dW "$program" | grep FLAGS)"
    is "... its stack is no program" "RW" \
        "$(readelf -lW "$program" | awk '$1 == "GNU_STACK" { print $7 }')"
    has "... returns are guarded (stack protector)" __stack_chk_fail \
        "$(readelf --dyn-syms -W "$program")"
    case $(variable HARDENING_CPPFLAGS) in
    *_FORTIFY_SOURCE*)
        has "... lengths are checked (_FORTIFY_SOURCE)" __snprintf_chk \
            "$(readelf --dyn-syms -W "$program")"
        ;;
    *) not_here "_FORTIFY_SOURCE: CFLAGS do not optimize, or there are sanitizers" ;;
    esac
    case $cflags in
    *-fcf-protection*)
        # main, of which another's instructions are not.
        ok "... jumps land where they may (CET)" branch_targets "$program"
        ;;
    esac
}

branch_targets() {
    objdump -d --no-show-raw-insn "$1" | grep -A1 '<invocation_main>:\|<main>:' | grep -q endbr
}
hardened fanfold
if [ -x "$abs_top_builddir/fanfold-reduce" ]; then
    hardened fanfold-reduce
else
    not_here "fanfold-reduce: MPI"
fi

# What is found missing is told from what is there.
if ${CC:-cc} -x c - -o "$tmp/soft" -no-pie -fno-stack-protector -Wl,-z,norelro -Wl,-z,lazy \
    2>"$tmp/why" <<'END'; then
int main (void) { return 0; }
END
    is "a program without has none of it" "0" "$(
        {
            readelf -hW "$tmp/soft" | grep 'Type: *DYN'
            readelf -lW "$tmp/soft" | grep GNU_RELRO
            readelf -dW "$tmp/soft" | grep 'FLAGS.*NOW'
            readelf --dyn-syms -W "$tmp/soft" | grep __stack_chk_fail
        } | wc -l
    )"
fi

done_testing
