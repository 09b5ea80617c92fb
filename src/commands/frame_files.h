/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_files.h - files of frames that a command is given, and which of their
 * frames
 */
#ifndef COMMANDS_FRAME_FILES_H
#define COMMANDS_FRAME_FILES_H

#include "commands/command.h"
#include "formats/frame_reader.h"

struct frame;

struct frame_files {
    struct frame_options options;
    struct strvec elements;
    bool found[EXTXYZ_LABELS]; /* keys of extended XYZ that were named */
    uint64_t first, end;       /* frames [first, end) of all files together, */
    uint64_t every;            /* each so many */
    struct file_note *notes;   /* on the files that were read */
    size_t n_notes;
    size_t alloc;
};

/* Options of a command that reads frames. */
#define FRAME_FILES_SET                                                        \
    { "from", "FORMAT",                                                        \
      "read files as this format (default: the one they show)" },              \
        { "elements", "E1,E2,...",                                             \
          "say what atoms of type 1, 2 ... are, and number elements so" },     \
        { "units", "UNITS",                                                    \
          "take LAMMPS files to be in these units: metal (the default), "      \
          "real" },                                                            \
        { "columns", "NAMES",                                                  \
          "say what the columns of a binary dump without names are" },         \
        { "energy-key", "KEY",                                                 \
          "take the energy of extended XYZ from this key" },                   \
        { "force-key", "KEY",                                                  \
          "take forces of extended XYZ from this column" },                    \
        { "virial-key", "KEY",                                                 \
          "take the virial of extended XYZ from this key" },                   \
        { "stress-key", "KEY",                                                 \
          "take the stress of extended XYZ from this key" },                   \
        { "frames", "A:B",                                                     \
          "read frames A to B-1 of all files together, from 0" },              \
    {                                                                          \
        "every", "N", "read each N-th of these frames"                         \
    }

/* From the options above; complains.  Release it in any case. */
enum exit_status frame_files_init (struct frame_files *files,
                                   const struct invocation *invocation);
void frame_files_release (struct frame_files *files);

/* Where a frame was. */
struct frame_place {
    const char *path;
    size_t file;     /* which of the paths */
    uint64_t number; /* in the file, from 0 */
    const char *format;
};

/* Call 'each' for the chosen frames of n files, in order; its -1 stops, and is
 * returned with "frame N of PATH" before what 'err' says.  -1 at the end when
 * no frame had a key that an option names.
 */
int frame_files_each (struct frame_files *files, char *const *paths, size_t n,
                      int (*each) (const struct frame *frame,
                                   const struct frame_place *place, void *arg,
                                   struct error *err),
                      void *arg, struct error *err);

/* Tell on stderr what people should know of the files. */
void frame_files_tell (const struct frame_files *files);

/* The same as a list of texts.  The caller gets a reference. */
struct json *frame_files_notes (const struct frame_files *files);

#endif /* !COMMANDS_FRAME_FILES_H */
