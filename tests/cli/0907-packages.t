#!/bin/sh
# 0907-packages - the packages of Debian, Spack and EasyBuild want what configure wants,
# and the archive that they build has every file
. "$abs_top_srcdir/tests/cli/tap.sh"

cd "$abs_top_srcdir" || exit 1
version=$(sed -n 's/^AC_INIT(\[fanfold\], \[\(.*\)\])/\1/p' configure.ac)
spack=packaging/spack/package.py
easybuild=packaging/easybuild/fanfold-$version-gompi-2023a.eb

is "the changelog of the Debian package begins with this version" "$version" \
    "$(sed -n '1s/^fanfold (\(.*\)-[0-9]*) .*/\1/p' debian/changelog)"
ok "Spack has it" grep -qx "    version(\"$version\")" $spack
ok "EasyBuild has it" grep -qx "version = '$version'" "$easybuild"
for file in $spack packaging/easybuild/*.eb; do
    ok "$file is Python" /usr/bin/python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' $file
done

# Debian's, Spack's and EasyBuild's name of each module that pkg-config looks for.
names() {
    case $1 in
    yaml-0.1) echo libyaml-dev libyaml libyaml ;;
    libcjson) echo libcjson-dev cjson cJSON ;;
    hwloc) echo libhwloc-dev hwloc hwloc ;;
    libmd) echo libmd-dev libmd libmd ;;
    libxxhash) echo libxxhash-dev xxhash xxHash ;;
    expat) echo libexpat1-dev expat expat ;;
    zlib) echo zlib1g-dev zlib-api zlib ;;
    libzstd) echo libzstd-dev zstd zstd ;;
    libarchive) echo libarchive-dev libarchive libarchive ;;
    esac
}

# not_older A B: B is A, or newer.
not_older() {
    [ "$(printf '%s\n' "$1" "$2" | sort -V | head -1)" = "$1" ]
}

modules=0
while read -r module least; do
    # shellcheck disable=SC2046 # three words
    set -- $(names "$module")
    modules=$((modules + 1))
    is "$module: names are known here" 3 $#
    [ $# -eq 3 ] || continue
    ok "... Debian's has the least version" grep -qx " $1 (>= $least)," debian/control
    case $2 in
    *-api) ok "... Spack's is there" grep -q "depends_on(\"$2\")" $spack ;;
    *) ok "... Spack's has it" grep -q "depends_on(\"$2@$least:\")" $spack ;;
    esac
    ok "... EasyBuild's is not older" not_older "$least" \
        "$(sed -n "s/^    ('$3', '\(.*\)'),/\1/p" "$easybuild")"
done <<END
$(sed -n 's/^PKG_CHECK_MODULES(\[[A-Z]*\], \[\([a-z0-9.-]*\) >= \([0-9.]*\)\])$/\1 \2/p' configure.ac)
END
is "all modules were looked at" 9 $modules
is "what Debian's is built with is what scripts/packages installs" "" \
    "$(sed -n '/^Build-Depends:/,/^[A-Z]/s/^ \([a-z0-9-]*\).*/\1/p' debian/control |
        grep -vx 'debhelper-compat\|jq\|libcmocka-dev' |
        while read -r package; do
            sed -n '/^build=/,/"$/p' scripts/packages | grep -qw -e "$package" || echo "$package"
        done)"
for file in debian/rules debian/tests/campaign; do
    ok "$file is executable" test -x $file
done

# Where this is a clone; folders are packed whole.
in_archive() {
    printf 'include Makefile\nprint-packed:\n\t@for f in $(DISTFILES); do echo $$f; done\n' |
        env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -s -C "$abs_top_builddir" -f - print-packed |
        sed "s,^$abs_top_srcdir/,,; s,^\(\.\.*/\)*,,"
}
if [ -e .git ]; then
    in_archive >"$tmp/packed"
    ok "the archive has files" test "$(wc -l <"$tmp/packed")" -gt 1000
    is "... all of them" "" "$(git ls-files | grep -v '^\.ci/\|^\.gitignore$' |
        awk 'NR == FNR { packed[$0]; next }
            { for (p = $0; p != "" && !(p in packed); p = p ~ "/" ? substr(p, 1, match(p, "/[^/]*$") - 1) : "");
                if (p == "") print }' "$tmp/packed" -)"
fi

done_testing
