/* SPDX-License-Identifier: Apache-2.0 */
#include "crew.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

struct member {
	LIST_ENTRY(member) link;
	struct berth__crew *crew;
	uint32_t number;
	pthread_t thread;
	pthread_cond_t wake;
	bool busy; /* there is a task, and it is not done */
};

struct berth__crew {
	pthread_mutex_t mutex;
	pthread_cond_t done;
	LIST_HEAD(, member) members; /* who worked last is first */
	bool ends;
	/* The one task. */
	berth__crew_task *task;
	void *userdata;
	berth_status status;
	berth_error error;
};

static void do_task(struct berth__crew *crew)
{
	crew->status = crew->task(crew->userdata);
	if (crew->status != BERTH_OK)
		crew->error = *berth_error_get();
}

static void *work(void *userdata)
{
	struct member *member = userdata;
	struct berth__crew *crew = member->crew;

	pthread_mutex_lock(&crew->mutex);
	for (;;) {
		while (!member->busy && !crew->ends)
			pthread_cond_wait(&member->wake, &crew->mutex);
		if (!member->busy)
			break;
		pthread_mutex_unlock(&crew->mutex);
		do_task(crew);
		pthread_mutex_lock(&crew->mutex);
		member->busy = false;
		pthread_cond_signal(&crew->done);
	}
	pthread_mutex_unlock(&crew->mutex);
	return NULL;
}

berth_status berth__crew_create(struct berth__crew **out)
{
	struct berth__crew *crew = calloc(1, sizeof(*crew));

	if (!crew)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a crew of threads");
	pthread_mutex_init(&crew->mutex, NULL);
	pthread_cond_init(&crew->done, NULL);
	LIST_INIT(&crew->members);
	*out = crew;
	return BERTH_OK;
}

static berth_status hire(struct berth__crew *crew, uint32_t number)
{
	struct member *member = calloc(1, sizeof(*member));
	int code;

	if (!member)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for a thread");
	member->crew = crew;
	member->number = number;
	pthread_cond_init(&member->wake, NULL);
	code = pthread_create(&member->thread, NULL, work, member);
	if (code != 0) {
		pthread_cond_destroy(&member->wake);
		free(member);
		return berth_error_set(BERTH_E_NOMEM, 0,
				       "no thread for thread %" PRIu32 " of the trace: %s", number,
				       strerror(code));
	}
	LIST_INSERT_HEAD(&crew->members, member, link);
	return BERTH_OK;
}

static struct member *find(struct berth__crew *crew, uint32_t number)
{
	struct member *member;

	LIST_FOREACH(member, &crew->members, link)
	if (member->number == number)
		return member;
	return NULL;
}

berth_status berth__crew_run(struct berth__crew *crew, uint32_t number, berth__crew_task *task,
			     void *userdata)
{
	struct member *member = find(crew, number);
	berth_status st;

	if (!member && (st = hire(crew, number)) != BERTH_OK)
		return st;
	if (!member)
		member = LIST_FIRST(&crew->members);
	if (member != LIST_FIRST(&crew->members)) {
		LIST_REMOVE(member, link);
		LIST_INSERT_HEAD(&crew->members, member, link);
	}
	crew->task = task;
	crew->userdata = userdata;
	pthread_mutex_lock(&crew->mutex);
	member->busy = true;
	pthread_cond_signal(&member->wake);
	while (member->busy)
		pthread_cond_wait(&crew->done, &crew->mutex);
	pthread_mutex_unlock(&crew->mutex);
	if (crew->status == BERTH_OK)
		return BERTH_OK;
	return berth_error_set(crew->status, crew->error.cl_status, "%s", crew->error.message);
}

void berth__crew_destroy(struct berth__crew *crew)
{
	struct member *member;

	if (!crew)
		return;
	pthread_mutex_lock(&crew->mutex);
	crew->ends = true;
	LIST_FOREACH(member, &crew->members, link)
	pthread_cond_signal(&member->wake);
	pthread_mutex_unlock(&crew->mutex);
	while ((member = LIST_FIRST(&crew->members))) {
		pthread_join(member->thread, NULL);
		pthread_cond_destroy(&member->wake);
		LIST_REMOVE(member, link);
		free(member);
	}
	pthread_cond_destroy(&crew->done);
	pthread_mutex_destroy(&crew->mutex);
	free(crew);
}
