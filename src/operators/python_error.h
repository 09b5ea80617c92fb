/* SPDX-License-Identifier: BSD-3-Clause */
/* python_error.h - how a program written in Python says that it failed
 *
 * An error that was not caught is told on standard error: the line "Traceback
 * (most recent call last):", where it was, and "NAME: MESSAGE", without blanks
 * before it (Python, library/traceback).  argparse tells of a wrong option with
 * "PROGRAM: error: MESSAGE".  PyTorch tells what a loader of data met behind
 * "Original Traceback" (torch/_utils.py, ExceptionWrapper), after "Caught NAME
 * in ...".  Libraries print other lines with the word error, and go on.
 */
#ifndef OPERATORS_PYTHON_ERROR_H
#define OPERATORS_PYTHON_ERROR_H

/* Is it "NAME: MESSAGE", or NAME alone, where NAME ends in Error or Exception,
 * or argparse's?  'line' has no line break.
 */
bool python_tells_error (const char *line, size_t len);

/* Behind the line "Traceback ..." of the last error that was not ignored, or
 * 'printed' where there is none.
 */
const char *python_last_error (const char *printed);

#endif /* !OPERATORS_PYTHON_ERROR_H */
