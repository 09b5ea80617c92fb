/* SPDX-License-Identifier: BSD-3-Clause */
/* digest.h - SHA-256, written as sha256sum does (64 hex digits) */
#ifndef BASE_DIGEST_H
#define BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

struct error;
struct heartbeat;

enum { DIGEST_HEX_SIZE = 65 };

void digest_bytes (const void *bytes, size_t len, char hex[DIGEST_HEX_SIZE]);

/* Of a file: of its bytes.  Of a directory: SHA-256 over the sorted lines
 * "<hex>  <relative path>\n" of its files and "link <target>  <path>\n" of its
 * links, as `sha256sum` would list it.  Directories count through what is in
 * them.  Special files and names with a line break are errors.  Beats while it
 * reads.
 */
int digest_tree (const char *path,
                 char hex[DIGEST_HEX_SIZE],
                 const struct heartbeat *heartbeat,
                 struct error *err);

#endif /* !BASE_DIGEST_H */
