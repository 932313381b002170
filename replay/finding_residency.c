/* SPDX-License-Identifier: Apache-2.0 */
#include "finding.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct berth__finding_residency {
	char *path;
	pthread_t thread;
	bool is_running;
	berth_residency *report;
	berth_status status;
	berth_error error; /* details are each thread's own */
};

static berth_status make_report(struct berth__finding_residency *residency)
{
	berth_trace *trace = NULL;
	berth_status st = berth_trace_open(&trace, residency->path);

	if (st == BERTH_OK)
		st = berth_residency_report(&residency->report, trace);
	if (st != BERTH_OK)
		residency->error = *berth_error_get();
	berth_trace_close(trace);
	return st;
}

static void *work(void *userdata)
{
	struct berth__finding_residency *residency = userdata;

	residency->status = make_report(residency);
	return NULL;
}

berth_status berth__finding_residency_begin(struct berth__finding_residency **out,
					    const char *path)
{
	struct berth__finding_residency *residency = calloc(1, sizeof(*residency));

	if (residency)
		residency->path = strdup(path);
	if (!residency || !residency->path) {
		free(residency);
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to look for transfers");
	}
	residency->is_running = pthread_create(&residency->thread, NULL, work, residency) == 0;
	*out = residency;
	return BERTH_OK;
}

berth_status berth__finding_residency_end(struct berth__finding_residency *residency,
					  berth_residency **report)
{
	berth_status st;

	if (!residency)
		return BERTH_OK;
	if (residency->is_running)
		pthread_join(residency->thread, NULL);
	else
		residency->status = make_report(residency); /* no thread to be had: then here */
	st = residency->status;
	if (st != BERTH_OK)
		berth_error_set(st, residency->error.cl_status, "%s", residency->error.message);
	*report = residency->report;
	free(residency->path);
	free(residency);
	return st;
}
