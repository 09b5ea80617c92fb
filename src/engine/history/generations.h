/* SPDX-License-Identifier: BSD-3-Clause */
/* generations.h - the numbers of generations that lie in a campaign's directory
 */
#ifndef ENGINE_GENERATIONS_H
#define ENGINE_GENERATIONS_H

/* The highest number of a generation in place, superseded or being made, or of
 * run files, below 'dir' (absolute); 0: there is none.  For who has no journal
 * that tells: no number is given twice.
 */
int generations_scan (const char *dir);

#endif /* !ENGINE_GENERATIONS_H */
