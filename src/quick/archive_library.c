/* SPDX-License-Identifier: BSD-3-Clause */
/* archive_library.c - libarchive, loaded when an archive is unpacked */
#include "base/base.h"

#include <dlfcn.h>

#include "quick/archive_library.h"

/* Its binary interface has this number since 3.0. */
#define ARCHIVE_SONAME "libarchive.so.13"

static const struct {
    const char *name;
    size_t offset;
} functions[] = {
#define ROW(name) { #name, offsetof (struct archive_library, name) },
    ARCHIVE_FUNCTIONS (ROW)
#undef ROW
};

int archive_library_load (struct archive_library *library, struct error *err)
{
    void *handle = dlopen (ARCHIVE_SONAME, RTLD_NOW | RTLD_LOCAL);
    struct archive_library found;

    if (!handle)
        return error_set (err,
                          "cannot load libarchive, which unpacks archives: %s; "
                          "install it, or unpack the archive and give the "
                          "directory",
                          dlerror ());
    for (size_t i = 0; i < ARRAY_SIZE (functions); i++) {
        void *function = dlsym (handle, functions[i].name);

        if (!function)
            return error_set (err,
                              "%s has no %s; install libarchive 3.6 or later",
                              ARCHIVE_SONAME, functions[i].name);
        memcpy ((char *)&found + functions[i].offset, &function,
                sizeof (function));
    }
    *library = found;
    return 0;
}
