/* SPDX-License-Identifier: Apache-2.0 */
/* What a spool says about its process. */
#ifndef BERTH_LAYER_SPOOL_PROCESS_H
#define BERTH_LAYER_SPOOL_PROCESS_H

#include "spool_format.h"

#include <stdbool.h>
#include <stddef.h>

/* More of a command line is cut, at an argument's end. */
#define BERTH__SPOOL_STRINGS_MAX 32768

struct berth__spool_process {
	struct berth_spool_process fixed;
	char strings[BERTH__SPOOL_STRINGS_MAX];
	size_t strings_bytes;
};

/* Describe this process, from /proc; what cannot be read stays empty. */
void berth__spool_describe_process(struct berth__spool_process *out, bool forked);

/* Field 22 of /proc/self/stat; 0 when it cannot be read. */
uint64_t berth__spool_process_start_ticks(void);

#endif
