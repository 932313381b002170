/* SPDX-License-Identifier: Apache-2.0 */
/* The profiles of `berth simulate`, as the layer in the program will read them. */
#ifndef BERTH_TOOL_SIMULATE_SETUP_H
#define BERTH_TOOL_SIMULATE_SETUP_H

#include <limits.h>
#include <stdint.h>

#include <berth/status.h>

#define SIMULATE_DEVICES_MAX 16

/* As typed. */
struct simulate_request {
	const char *devices;   /* with commas between them */
	const char *settings;  /* berth_profile_override(); NULL: none */
	uint64_t memory_bytes; /* 0: the profile's */
};

struct simulate_setup {
	int files[SIMULATE_DEVICES_MAX];
	int file_count;
	char paths[SIMULATE_DEVICES_MAX * 64]; /* the value of BERTH_ENV_SIMULATE */
	char layer[PATH_MAX];
};

/*
 * Make a file of each profile, in memory, and find the layer. Returns CMD_EXIT_OK, or another exit
 * status after it said why; simulate_setup_close() in both cases. The files live as long as
 * they are open here.
 */
int simulate_setup_open(struct simulate_setup *setup, const struct simulate_request *request);
void simulate_setup_close(struct simulate_setup *setup);

#endif
