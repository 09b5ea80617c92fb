# quick.sh - what the tests of `fanfold quick` share; sourced after tap.sh
# shellcheck shell=sh

# quick_files DIR: the example's trainer and data, what two data sets come to, and
# what makes hostile archives.
quick_files() {
    cp -R "$abs_top_srcdir/examples/quick-train" "$1"
    chmod -R u+w "$1"
    (cd "$1" && python3 trainer/train.py --dataset data/a data/b --epochs 50 &&
        cp model/weights.json expected && rm -r model)
    cat >"$1/hostile.py" <<'END'
import io, os, stat, tarfile, zipfile

os.mkdir("hostile")


def tar(name, *members, mode="w"):
    with tarfile.open("hostile/" + name, mode) as t:
        for path, kind, target in members:
            info = tarfile.TarInfo(path)
            info.type = kind
            info.linkname = target
            data = b"x" if kind == tarfile.REGTYPE else b""
            info.size = len(data)
            t.addfile(info, io.BytesIO(data))


F, D, L, H, P = (tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.SYMTYPE, tarfile.LNKTYPE,
                 tarfile.FIFOTYPE)
ok = ("fine", F, "")
tar("absolute.tar", ok, ("/tmp/evil", F, ""))
tar("parent.tar", ok, ("../evil", F, ""))
tar("deep.tar.gz", ok, ("a/../../evil", F, ""), mode="w:gz")
tar("link.tar", ok, ("l", L, "/etc/passwd"))
tar("linkup.tar", ok, ("d/l", L, "../../evil"))
tar("through.tar", ok, ("d/e", D, ""), ("l", L, "d/e"), ("l/evil", F, ""))
tar("hard.tar", ok, ("h", H, "/etc/passwd"))
tar("hardup.tar", ok, ("h", H, "../../evil"))
tar("hardnone.tar", ok, ("h", H, "nosuch"))
tar("pipe.tar", ok, ("p", P, ""))
tar("twice.tar", ok, ("fine", F, ""))
tar("dirfile.tar", ok, ("fine/below", F, ""))
tar("control.tar", ok, ("a\nb", F, ""))
with zipfile.ZipFile("hostile/parent.zip", "w") as z:
    z.writestr("../evil", "x")
with zipfile.ZipFile("hostile/link.zip", "w") as z:
    info = zipfile.ZipInfo("l")
    info.create_system = 3
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    z.writestr(info, "/etc/passwd")
with zipfile.ZipFile("hostile/bomb.zip", "w", zipfile.ZIP_DEFLATED) as z:
    with z.open("zeros", "w", force_zip64=True) as f:
        for _ in range(1100):
            f.write(bytes(1 << 20))
END
}

# Archives, and the reason for which each is refused, with _ for blanks.
# shellcheck disable=SC2034 # for those who source this
hostile="absolute.tar:its_path_is_absolute parent.tar:its_path_leads_out_by_..
deep.tar.gz:its_path_leads_out_by_.. link.tar:a_link_that_leads_out
linkup.tar:a_link_that_leads_out through.tar:its_path_leads_through_a_link
hard.tar:its_path_is_absolute hardup.tar:its_path_leads_out_by_..
hardnone.tar:a_link_to_a_file_that_is_not_there pipe.tar:neither_file,_directory_nor_link
twice.tar:it_is_there_twice dirfile.tar:its_path_leads_through_a_link_or_a_file
control.tar:its_name_has_control_characters parent.zip:its_path_leads_out_by_..
link.zip:a_link_that_leads_out bomb.zip:far_larger_than_any_data_compress"

# train_at SITE ARGUMENT...: fanfold with that site.yaml, the rest as train.
train_at() {
    fanfold --site "$@" >told 2>said && return
    set -- $?
    cat said
    return "$1"
}

# train ARGUMENT...: fanfold quick, its JSON in ./told and its messages in ./said.
train() {
    fanfold quick "$@" >told 2>said && return
    set -- $?
    cat said
    return "$1"
}
