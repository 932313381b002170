/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that stand for those of the recorded program: each task runs on the one it belongs
 * to, one task at a time, so that what drivers keep for each thread is as it was.
 */
#ifndef BERTH_REPLAY_CREW_H
#define BERTH_REPLAY_CREW_H

#include <berth/status.h>

struct berth__crew;

typedef berth_status berth__crew_task(void *userdata);

/* @out: berth__crew_destroy(). BERTH_OK, BERTH_E_NOMEM. */
berth_status berth__crew_create(struct berth__crew **out);

/* Waits until all its threads have ended; NULL is fine. */
void berth__crew_destroy(struct berth__crew *crew);

/*
 * Run @task on the thread of @number, and wait for it. Returns what it returned, its error
 * detail included; BERTH_E_NOMEM: no more threads can be had.
 */
berth_status berth__crew_run(struct berth__crew *crew, uint32_t number, berth__crew_task *task,
			     void *userdata);

#endif
