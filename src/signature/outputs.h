/* SPDX-License-Identifier: BSD-3-Clause */
/* outputs.h - what a task left behind, checked against its declared outputs
 *
 * Parameters are in DIR/params.json (a JSON object; may be absent when none is
 * declared), artifacts below DIR/out: port path P of kind file, dir, frames,
 * npy is DIR/out/P; a list is the directory DIR/out/P whose sorted entries are
 * its items, which are directories again in a list of lists.
 */
#ifndef SIGNATURE_OUTPUTS_H
#define SIGNATURE_OUTPUTS_H

struct heartbeat;
struct port;
struct sizes;

/* Is any of them an artifact? */
bool outputs_have_artifacts (const struct port *ports);

/* Append the path below out/ where artifact 'port' belongs. */
void output_path (const struct port *port, struct strbuf *path);

/* Check everything, refuse links that leave DIR/out and special files, and
 * return
 *   {"params": {NAME: value, ...},
 *    "artifacts": {NAME: {"path": P, ... (artifact_record.h),
 *                         "entries": ["a", "b"] (lists only)}, ...}}
 * Entries are below P: of a list of lists [["a/x", "a/y"], []].  An optional
 * output that is not there is null in its object.  Undeclared parameters are an
 * error ("did you mean").  'sizes' are those of the inputs, and get those of
 * the outputs.  NULL with 'err' naming the output: the outcome is then
 * bad_output.  Caller unrefs.
 */
struct json *outputs_check (const struct port *ports, const char *dir,
                            struct sizes *sizes,
                            const struct heartbeat *heartbeat,
                            struct error *err);

/* The value of output 'port' as other stages see it, from what outputs_check
 * returned: parameters as they are, artifacts as OUT_DIR/path (or the list of
 * them), null when absent.  Caller unrefs.
 */
struct json *output_value (const struct port *port, const struct json *checked,
                           const char *out_dir);

#endif /* !SIGNATURE_OUTPUTS_H */
