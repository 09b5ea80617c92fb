/* SPDX-License-Identifier: BSD-3-Clause */
/* archive_library.h - libarchive, loaded when an archive is unpacked
 *
 * It brings twelve libraries, which the dynamic loader would map and relocate
 * at each start of the program, and so of each agent: more than half of its
 * time.
 */
#ifndef QUICK_ARCHIVE_LIBRARY_H
#define QUICK_ARCHIVE_LIBRARY_H

#include <archive.h>
#include <archive_entry.h>

/* clang-format off */
#define ARCHIVE_FUNCTIONS(_)            \
    _ (archive_entry_filetype)          \
    _ (archive_entry_hardlink)          \
    _ (archive_entry_hardlink_utf8)     \
    _ (archive_entry_is_data_encrypted) \
    _ (archive_entry_is_metadata_encrypted) \
    _ (archive_entry_pathname)          \
    _ (archive_entry_pathname_utf8)     \
    _ (archive_entry_perm)              \
    _ (archive_entry_size)              \
    _ (archive_entry_size_is_set)       \
    _ (archive_entry_symlink)           \
    _ (archive_entry_symlink_utf8)      \
    _ (archive_error_string)            \
    _ (archive_read_data_block)         \
    _ (archive_read_free)               \
    _ (archive_read_new)                \
    _ (archive_read_next_header)        \
    _ (archive_read_open_filename)      \
    _ (archive_read_support_filter_bzip2) \
    _ (archive_read_support_filter_gzip) \
    _ (archive_read_support_filter_xz)  \
    _ (archive_read_support_filter_zstd) \
    _ (archive_read_support_format_tar) \
    _ (archive_read_support_format_zip)
/* clang-format on */

/* Its functions, by their names there. */
struct archive_library {
#define MEMBER(name) __typeof__ (&(name)) name;
    ARCHIVE_FUNCTIONS (MEMBER)
#undef MEMBER
};

/* Load it, for the life of the process.  -1 with 'err' where it is not
 * installed. */
int archive_library_load (struct archive_library *library, struct error *err);

#endif /* !QUICK_ARCHIVE_LIBRARY_H */
