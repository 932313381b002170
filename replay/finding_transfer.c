/* SPDX-License-Identifier: Apache-2.0 */
/*
 * F-REDUNDANT and F-PING-PONG, by the residency report. That costs many times this pass, so
 * it is made only when a transfer could be needless: a sieve for each memory lets some through
 * that are not, and holds none back that is.
 */
#include "finding.h"

#include <berth/residency_report.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <CL/cl.h>

#define LEAST_PERCENT 1
#define LEAST_BYTES 4096

struct state {
	uint64_t candidates;
};

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
	if (whole) {
		sieve->parts = bit;
		sieve->whole_known = row->has_digest;
		memcpy(sieve->whole, row->digest, sizeof(sieve->whole));
	} else {
		sieve->parts |= bit;
		sieve->whole_known = sieve->whole_known && row->op.kind == BERTH_OP_READ;
	}
}

static void look(struct berth__finding_scan *scan, struct state *state,
		 struct berth__finding_object *root, bool whole)
{
	if (may_be_needless(scan, &root->sieve, whole))
		state->candidates++;
	remember(scan, &root->sieve, whole);
}

static void made(struct berth__finding_scan *scan, void *userdata,
		 struct berth__finding_object *object)
{
	if (object->root == object && scan->row->has_digest)
		look(scan, userdata, object, true);
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

static void used(struct berth__finding_scan *scan, void *userdata,
		 struct berth__finding_object *object, unsigned access)
{
	const berth_op *op = &scan->row->op;
	uint64_t bytes;

	if (op->kind == BERTH_OP_WRITE || op->kind == BERTH_OP_READ) {
		look(scan, userdata, object->root, berth__finding_is_whole(object, op));
		if (berth_op_moved_bytes(&bytes, op, object->object->element_bytes) == BERTH_OK)
			scan->moved_bytes = berth__finding_add(scan->moved_bytes, bytes);
	} else if (writes_all(scan, object, access)) {
		memset(&object->root->sieve, 0, sizeof(object->root->sieve));
	}
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

static void finish(struct berth__finding_scan *scan, void *userdata)
{
	struct state *state = userdata;
	berth_residency *report = NULL;

	if (state->candidates == 0)
		return;
	scan->status = berth_residency_report(&report, scan->trace);
	if (scan->status != BERTH_OK)
		return;
	if (report->saved.bytes >= LEAST_BYTES &&
	    report->saved.bytes >= scan->moved_bytes / 100 * LEAST_PERCENT) {
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
