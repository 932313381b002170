/* SPDX-License-Identifier: Apache-2.0 */
/*
 * F-REDUNDANT and F-PING-PONG, by the residency report. That costs many times this pass, so
 * it is made only of memories with transfers that could be needless: a sieve for each lets some
 * through that are not, and holds none back that is.
 */
#include "finding.h"

#include "residency_report_of.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <CL/cl.h>

#define LEAST_PERCENT 1
#define LEAST_BYTES 4096

/* So many are told apart; with more of them the report is of all. */
#define ROOTS_MAX 65536u
#define SLOTS (2 * ROOTS_MAX) /* a power of two */

struct state {
	uint64_t candidate_bytes; /* no more than these can be needless */
	uint64_t roots[SLOTS];	  /* those with a candidate, hashed; 0: free */
	uint32_t root_count;
};

/* Where a root stands, or the free slot where it belongs. */
static uint64_t *slot_of(struct state *state, uint64_t root)
{
	size_t slot = (size_t)((root * UINT64_C(0x9E3779B97F4A7C15)) >> 47) % SLOTS;

	while (state->roots[slot] != 0 && state->roots[slot] != root)
		slot = (slot + 1) % SLOTS;
	return &state->roots[slot];
}

static void add_candidate(struct state *state, uint64_t root, uint64_t bytes)
{
	uint64_t *slot;

	state->candidate_bytes = berth__finding_add(state->candidate_bytes, bytes);
	if (state->root_count == ROOTS_MAX)
		return;
	slot = slot_of(state, root);
	state->root_count += *slot == 0;
	*slot = root;
}

static bool is_wanted(uint64_t root, void *userdata)
{
	struct state *state = userdata;

	return state->root_count == ROOTS_MAX || *slot_of(state, root) == root;
}

static uint64_t bit_of(const uint8_t digest[16])
{
	return UINT64_C(1) << (digest[15] % 64);
}

/*
 * A write is needless when the memory holds its digest in that place; a read also when it is a
 * part of what is held, or of what was moved without a digest.
 */
static bool may_be_needless(const struct berth__finding_scan *scan,
			    const struct berth__finding_sieve *sieve, bool whole)
{
	const berth_trace_op *row = scan->row;

	if (row->op.kind == BERTH_OP_READ && (!row->has_digest || !whole || !sieve->whole_known))
		return sieve->transferred;
	if (!row->has_digest)
		return false;
	if (whole && sieve->whole_known)
		return memcmp(sieve->whole, row->digest, sizeof(sieve->whole)) == 0;
	return sieve->parts & bit_of(row->digest);
}

/* What is whole may also come through a sub-buffer or a box that covers all, as a part. */
static void remember(const struct berth__finding_scan *scan, struct berth__finding_sieve *sieve,
		     bool whole)
{
	const berth_trace_op *row = scan->row;
	uint64_t bit = row->has_digest ? bit_of(row->digest) : 0;

	sieve->transferred = true;
	/* A read changes nothing: without a digest nothing new is known. */
	if (!row->has_digest && row->op.kind == BERTH_OP_READ)
		return;
	if (whole) {
		sieve->parts = bit;
		sieve->whole_known = row->has_digest;
		memcpy(sieve->whole, row->digest, sizeof(sieve->whole));
	} else {
		sieve->parts |= bit;
		sieve->whole_known = sieve->whole_known && row->op.kind == BERTH_OP_READ;
	}
}

/* Both sides hold what an object was made of. */
static void made(struct berth__finding_scan *scan, void *userdata,
		 struct berth__finding_object *object)
{
	(void)userdata;
	if (object->root == object && scan->row->has_digest)
		remember(scan, &object->sieve, true);
}

/* Whether an op writes all of the memory on the device, for all that is known. */
static bool writes_all(const struct berth__finding_scan *scan,
		       const struct berth__finding_object *object, unsigned access)
{
	const berth_op *op = &scan->row->op;

	if (!(access & (BERTH_ACCESS_WRITE | FINDING_MAYBE_WRITE)))
		return false;
	if (op->kind == BERTH_OP_USE)
		return object->root == object;
	return (op->kind == BERTH_OP_FILL || op->kind == BERTH_OP_COPY) &&
	       op->form == BERTH_FORM_LINEAR && berth__finding_is_whole(object, op);
}

static void transferred(struct berth__finding_scan *scan, struct state *state,
			struct berth__finding_object *object)
{
	const berth_op *op = &scan->row->op;
	struct berth__finding_object *root = object->root;
	bool whole = berth__finding_is_whole(object, op);
	uint64_t bytes = 0;

	if (berth_op_moved_bytes(&bytes, op, object->object->element_bytes) != BERTH_OK)
		bytes = UINT64_MAX;
	scan->moved_bytes = berth__finding_add(scan->moved_bytes, bytes);
	if (may_be_needless(scan, &root->sieve, whole))
		add_candidate(state, root->id, bytes);
	remember(scan, &root->sieve, whole);
}

static void used(struct berth__finding_scan *scan, void *userdata,
		 struct berth__finding_object *object, unsigned access)
{
	berth_op_kind kind = scan->row->op.kind;

	if (kind == BERTH_OP_WRITE || kind == BERTH_OP_READ)
		transferred(scan, userdata, object);
	else if (writes_all(scan, object, access))
		memset(&object->root->sieve, 0, sizeof(object->root->sieve));
}

static void add_object(struct berth__finding_fold *fold, const berth_residency_object *entry)
{
	berth_finding_object *one;

	if (fold->op == 0 || entry->first_op < fold->op)
		fold->op = entry->first_op;
	if (fold->worst_count == BERTH_FINDING_OBJECTS_MAX)
		return;
	one = &fold->worst[fold->worst_count++];
	*one = (berth_finding_object){
		.id = entry->object.id,
		.op = entry->first_op,
		.kind = entry->object.kind,
		.bytes = berth__finding_add(entry->sums[BERTH_RESIDENCY_WRITES].bytes,
					    entry->sums[BERTH_RESIDENCY_READS].bytes),
		.time_ns = berth__finding_add(entry->sums[BERTH_RESIDENCY_WRITES].duration_ns,
					      entry->sums[BERTH_RESIDENCY_READS].duration_ns),
	};
	snprintf(one->label, sizeof(one->label), "%s",
		 entry->object.label ? entry->object.label : "");
}

static void emit_redundant(struct berth__finding_scan *scan, const berth_residency *report)
{
	struct berth__finding_fold fold = { .count = report->saved.count,
					    .bytes = report->saved.bytes,
					    .time_ns = report->saved.duration_ns };

	for (uint32_t i = 0; i < report->listed_count; i++)
		if (report->listed[i].sums[BERTH_RESIDENCY_WRITES].count > 0 ||
		    report->listed[i].sums[BERTH_RESIDENCY_READS].count > 0)
			add_object(&fold, &report->listed[i]);
	berth__finding_emit(scan, "F-REDUNDANT", &fold,
			    "%" PRIu64 " writes and %" PRIu64
			    " reads moved %s that the other side had, in %.3f ms, of %s in all",
			    report->sums[BERTH_RESIDENCY_WRITES].count,
			    report->sums[BERTH_RESIDENCY_READS].count,
			    berth__finding_size(fold.bytes), (double)fold.time_ns / 1e6,
			    berth__finding_size(scan->moved_bytes));
}

static void emit_ping_pong(struct berth__finding_scan *scan, const berth_residency *report)
{
	struct berth__finding_fold fold = { .count = report->ping_pong_count };
	uint64_t turns = 0;

	for (uint32_t i = 0; i < report->listed_count; i++) {
		if (report->listed[i].turns < BERTH_RESIDENCY_PING_PONG_TURNS)
			continue;
		add_object(&fold, &report->listed[i]);
		turns += report->listed[i].turns;
	}
	for (uint32_t i = 0; i < fold.worst_count; i++) {
		fold.bytes = berth__finding_add(fold.bytes, fold.worst[i].bytes);
		fold.time_ns = berth__finding_add(fold.time_ns, fold.worst[i].time_ns);
	}
	berth__finding_emit(
		scan, "F-PING-PONG", &fold,
		"the content of %" PRIu64
		" objects went up and down again unchanged; those that move most turned it %" PRIu64
		" times; the needless transfers of the %" PRIu32 " worst moved %s",
		fold.count, turns, fold.worst_count, berth__finding_size(fold.bytes));
}

static bool is_enough(const struct berth__finding_scan *scan, uint64_t bytes)
{
	return bytes >= LEAST_BYTES && bytes >= scan->moved_bytes / 100 * LEAST_PERCENT;
}

static void finish(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;
	berth_residency *report = NULL;

	if (!is_enough(scan, state->candidate_bytes))
		return;
	scan->status = berth__residency_report_of(&report, scan->trace, is_wanted, state);
	if (scan->status != BERTH_OK)
		return;
	if (is_enough(scan, report->saved.bytes)) {
		emit_redundant(scan, report);
		if (report->ping_pong_count > 0)
			emit_ping_pong(scan, report);
	}
	berth_residency_free(report);
}

const struct berth__finding_checker berth__finding_transfer = {
	.state_bytes = sizeof(struct state),
	.made = made,
	.used = used,
	.finish = finish,
};
