/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a process that once had a pid is the one that has it now. */
#ifndef BERTH_REPLAY_PROCESS_ALIVE_H
#define BERTH_REPLAY_PROCESS_ALIVE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * @param start_ticks  field 22 of its /proc/PID/stat; 0: not known
 * @return false when it ended, a zombie included
 */
bool berth__process_alive(uint32_t pid, uint64_t start_ticks);

#endif
