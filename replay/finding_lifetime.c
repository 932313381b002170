/* SPDX-License-Identifier: Apache-2.0 */
/*
 * F-IDLE and F-SHARE: how much would be alive at the most, if objects ended with their last use,
 * and if images and buffers were places in one memory. Changes are summed up in buckets of ops;
 * in a trace of more ops than buckets, what is in one bucket counts as alive together, so that
 * the peaks are over-estimated, and what could be saved under.
 */
#include "finding.h"

#include <inttypes.h>
#include <stdlib.h>

#include <CL/cl.h>

#define BUCKETS_MAX (UINT64_C(1) << 20)

/* What is less is not worth a change. */
#define BYTES_MIN (UINT64_C(64) << 10)
#define PERCENT_MIN 20

#define WORST 4

enum {
	HELD,	       /* from creation to release */
	UNTIL_LAST,    /* from creation to the last use */
	BY_USE,	       /* from the first use to the last */
	BUFFERS,       /* likewise, of buffers */
	IMAGES,	       /* likewise, of images */
	CURVES,
};

/* An object that was idle for long. */
struct idler {
	uint64_t object, bytes, from, to;
};

struct lifetime {
	uint64_t ops_per_bucket, buckets;
	int64_t *changes[CURVES];
	struct idler worst[WORST]; /* by bytes x ops */
};

static berth_status begin(struct berth__finding_run *run, void *state)
{
	struct lifetime *lifetime = state;

	lifetime->ops_per_bucket = run->op_count / BUCKETS_MAX + 1;
	lifetime->buckets = run->op_count / lifetime->ops_per_bucket + 2;
	for (int i = 0; i < CURVES; i++) {
		lifetime->changes[i] = calloc(lifetime->buckets, sizeof(int64_t));
		if (!lifetime->changes[i])
			return berth_error_set(BERTH_E_NOMEM, 0, "no memory for %" PRIu64
					       " buckets of ops", lifetime->buckets);
	}
	return BERTH_OK;
}

/* Alive from op @from to op @to, both included. */
static void add(struct lifetime *lifetime, int curve, uint64_t from, uint64_t to, uint64_t bytes)
{
	lifetime->changes[curve][from / lifetime->ops_per_bucket] += (int64_t)bytes;
	lifetime->changes[curve][to / lifetime->ops_per_bucket + 1] -= (int64_t)bytes;
}

static double idle_size(const struct idler *idler)
{
	return (double)idler->bytes * (double)(idler->to - idler->from);
}

static void note_idler(struct lifetime *lifetime, const struct idler *idler)
{
	struct idler *least = &lifetime->worst[0];

	for (int i = 1; i < WORST; i++)
		if (idle_size(&lifetime->worst[i]) < idle_size(least))
			least = &lifetime->worst[i];
	if (idle_size(idler) > idle_size(least))
		*least = *idler;
}

static void end(struct berth__finding_run *run, void *state, const berth_object *object)
{
	const struct berth__facts *facts = berth__facts_of(object);
	struct lifetime *lifetime = state;
	uint64_t bytes = facts->own_bytes, last = run->seq > facts->created_seq ? run->seq - 1 : run->seq;
	uint64_t used = facts->last_use ? facts->last_use : facts->created_seq;
	struct idler idler = { object->id, bytes, used, last };

	if (bytes == 0 || bytes > INT64_MAX / 2)
		return;
	if (last < used)
		last = used;
	add(lifetime, HELD, facts->created_seq, last, bytes);
	add(lifetime, UNTIL_LAST, facts->created_seq, used, bytes);
	note_idler(lifetime, &idler);
	if (!facts->first_use)
		return;
	add(lifetime, BY_USE, facts->first_use, used, bytes);
	add(lifetime, object->kind == BERTH_OBJECT_IMAGE ? IMAGES : BUFFERS, facts->first_use, used,
	    bytes);
}

static uint64_t peak(const struct lifetime *lifetime, int curve)
{
	int64_t sum = 0, most = 0;

	for (uint64_t i = 0; i < lifetime->buckets; i++) {
		sum += lifetime->changes[curve][i];
		if (sum > most)
			most = sum;
	}
	return (uint64_t)most;
}

static bool is_worth(uint64_t saved, uint64_t of)
{
	return saved >= BYTES_MIN && berth__percent(saved, of) >= PERCENT_MIN;
}

static berth_status tell_idle(struct berth__finding_run *run, struct lifetime *lifetime)
{
	uint64_t held = peak(lifetime, HELD), used = peak(lifetime, UNTIL_LAST);
	char from[BERTH__BYTES_TEXT], to[BERTH__BYTES_TEXT], size[BERTH__BYTES_TEXT];
	const struct idler *worst = &lifetime->worst[0];
	berth_finding *finding;

	if (held <= used || !is_worth(held - used, held))
		return BERTH_OK;
	finding = berth__finding_add(run, BERTH_FINDING_IDLE);
	if (!finding)
		return BERTH_E_NOMEM;
	finding->bytes = held - used;
	for (int i = 1; i < WORST; i++)
		if (idle_size(&lifetime->worst[i]) > idle_size(worst))
			worst = &lifetime->worst[i];
	berth__finding_name(finding, worst->object);
	for (int i = 0; i < WORST; i++)
		if (idle_size(&lifetime->worst[i]) >= idle_size(worst) / 4)
			berth__finding_name(finding, lifetime->worst[i].object);
	finding->count = finding->object_count;
	finding->op = worst->from;
	berth__finding_say(finding,
			   "the peak is %s, and would be %s if objects were released after their last "
			   "use; object %" PRIu64 " (%s) is not used from op %" PRIu64 " to %" PRIu64,
			   berth__bytes_text(from, held), berth__bytes_text(to, used), worst->object,
			   berth__bytes_text(size, worst->bytes), worst->from, worst->to);
	berth__finding_advise(finding, "release them there, or let others have their memory "
				       "(berth plan says where all would go)");
	return BERTH_OK;
}

static berth_status tell_share(struct berth__finding_run *run, struct lifetime *lifetime)
{
	uint64_t held = peak(lifetime, UNTIL_LAST), buffers = peak(lifetime, BUFFERS);
	uint64_t images = peak(lifetime, IMAGES), together = peak(lifetime, BY_USE);
	char apart[BERTH__BYTES_TEXT], joined[BERTH__BYTES_TEXT], parts[2][BERTH__BYTES_TEXT];
	uint64_t now = buffers + images < held ? buffers + images : held;
	berth_finding *finding;

	if (buffers == 0 || images == 0 || now <= together || !is_worth(now - together, now))
		return BERTH_OK;
	finding = berth__finding_add(run, BERTH_FINDING_SHARE);
	if (!finding)
		return BERTH_E_NOMEM;
	finding->bytes = now - together;
	berth__finding_say(finding,
			   "images and buffers are in use at different times: %s and %s at the most, "
			   "%s together; the program holds %s",
			   berth__bytes_text(parts[0], images), berth__bytes_text(parts[1], buffers),
			   berth__bytes_text(joined, together), berth__bytes_text(apart, now));
	berth__finding_advise(finding, "put both into one pool, images as views on its buffers "
				       "(berth compare --pool suballoc,plan)");
	return BERTH_OK;
}

static berth_status report(struct berth__finding_run *run, void *state)
{
	berth_status st = tell_idle(run, state);

	return st == BERTH_OK ? tell_share(run, state) : st;
}

static void free_state(void *state)
{
	struct lifetime *lifetime = state;

	for (int i = 0; i < CURVES; i++)
		free(lifetime->changes[i]);
}

const struct berth__analyser berth__finding_lifetime = {
	.state_bytes = sizeof(struct lifetime),
	.begin = begin,
	.end = end,
	.report = report,
	.free = free_state,
};
