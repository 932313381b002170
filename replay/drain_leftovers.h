/* SPDX-License-Identifier: Apache-2.0 */
/* What a spool directory holds besides spools: traces of recordings that could not begin or go on.
 */
#ifndef BERTH_REPLAY_DRAIN_LEFTOVERS_H
#define BERTH_REPLAY_DRAIN_LEFTOVERS_H

#include <berth/record.h>

/*
 * Remove segments that a process was killed over before they were complete, and
 * the notes of processes that could make no spool; tell @visit, which may be
 * NULL, of each note. What belongs to a process that is alive stays.
 * @return how many notes there were
 */
size_t berth__drain_leftovers(const char *directory, berth_drain_visit_fn *visit, void *userdata);

#endif
