/* SPDX-License-Identifier: Apache-2.0 */
/* Looks at a trace: one pass for all analysers. */
#include "finding.h"
#include "trace_store.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

static const struct berth__analyser *const analysers[] = {
	&berth__finding_arguments, &berth__finding_releases, &berth__finding_backlog,
	&berth__finding_limits,	   &berth__finding_lifetime, &berth__finding_padding,
	&berth__finding_duplicates, &berth__finding_parents, &berth__finding_alignment,
	&berth__finding_zero_copy, &berth__finding_waits,    &berth__finding_churn,
};

#define ANALYSERS (sizeof(analysers) / sizeof(analysers[0]))

_Static_assert(ANALYSERS <= sizeof(((struct berth__finding_run *)0)->states) / sizeof(void *),
	       "each analyser has room for its state");

static const struct {
	const char *id, *title;
} kinds[] = {
#define X(name, value, id, title) [value] = { id, title },
	BERTH_FINDING_MAP(X)
#undef X
};

const char *berth_finding_id(berth_finding_kind kind)
{
	return (unsigned)kind < BERTH_FINDING_KIND_END ? kinds[kind].id : "unknown";
}

const char *berth_finding_title(berth_finding_kind kind)
{
	return (unsigned)kind < BERTH_FINDING_KIND_END ? kinds[kind].title : "unknown";
}

static berth_status no_memory(void)
{
	return berth_error_set(BERTH_E_NOMEM, 0, "no memory to look for findings");
}

berth_finding *berth__finding_add(struct berth__finding_run *run, berth_finding_kind kind)
{
	berth_findings *found = run->found;
	berth_finding *items = (berth_finding *)found->items;

	if (found->count == run->capacity) {
		items = reallocarray(items, run->capacity + 16, sizeof(*items));
		if (!items) {
			no_memory();
			return NULL;
		}
		run->capacity += 16;
		found->items = items;
	}
	items[found->count] = (berth_finding){ .kind = kind };
	return &items[found->count++];
}

void berth__finding_say(berth_finding *finding, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(finding->what, sizeof(finding->what), format, args);
	va_end(args);
}

void berth__finding_advise(berth_finding *finding, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(finding->advice, sizeof(finding->advice), format, args);
	va_end(args);
}

void berth__finding_name(berth_finding *finding, uint64_t object)
{
	if (finding->object_count == BERTH_FINDING_OBJECTS_MAX || object == BERTH_ID_NONE ||
	    object == BERTH_ID_UNKNOWN)
		return;
	for (uint32_t i = 0; i < finding->object_count; i++)
		if (finding->objects[i] == object)
			return;
	finding->objects[finding->object_count++] = object;
}

const char *berth__bytes_text(char text[BERTH__BYTES_TEXT], uint64_t bytes)
{
	static const char *const units[] = { "bytes", "KiB", "MiB", "GiB", "TiB" };
	double size = (double)bytes;
	size_t unit = 0;

	while (size >= 1024 && unit + 1 < sizeof(units) / sizeof(units[0])) {
		size /= 1024;
		unit++;
	}
	snprintf(text, BERTH__BYTES_TEXT, unit ? "%.1f %s" : "%.0f %s", size, units[unit]);
	return text;
}

static void on_end(berth_object *object, void *userdata)
{
	struct berth__finding_run *run = userdata;
	struct berth__facts *facts = berth__facts_of(object);

	if (!facts)
		return;
	for (size_t i = 0; i < ANALYSERS; i++)
		if (analysers[i]->end)
			analysers[i]->end(run, run->states[i], object);
	run->alive_bytes -= facts->own_bytes;
	run->found->released++;
	free(facts);
	object->user = NULL;
}

/* @changes: the content is another afterwards. */
static void touch(struct berth__finding_run *run, const berth_trace_op *row, uint64_t id,
		  bool changes)
{
	const berth_object *object = berth_objects_find(run->objects, id);

	for (; object; object = object->parent) {
		struct berth__facts *facts = berth__facts_of(object);

		if (!facts->first_use)
			facts->first_use = row->seq;
		facts->last_use = row->seq;
		facts->queue = row->op.queue;
		facts->enqueued = row->op.bits & BERTH_OP_BLOCKING ? 0 : row->seq;
		if (changes)
			facts->content_seq = row->seq;
	}
}

/* What commands name: the objects that they read or write. */
static void touch_all(struct berth__finding_run *run, const berth_trace_op *row)
{
	const berth_op *op = &row->op;

	switch (op->kind) {
	case BERTH_OP_WRITE:
	case BERTH_OP_FILL:
	case BERTH_OP_READ:
		touch(run, row, op->object, op->kind != BERTH_OP_READ);
		break;
	case BERTH_OP_MAP:
	case BERTH_OP_UNMAP:
		touch(run, row, op->object, true);
		break;
	case BERTH_OP_COPY:
		touch(run, row, op->object, false);
		touch(run, row, op->other, true);
		break;
	case BERTH_OP_USE:
	case BERTH_OP_MIGRATE:
		for (uint32_t i = 0; i < op->use_count; i++)
			touch(run, row, op->uses[i].object,
			      op->kind == BERTH_OP_USE &&
				      op->uses[i].access & BERTH_ACCESS_WRITE);
		break;
	default:
		break;
	}
}

static berth_status made(struct berth__finding_run *run, const berth_trace_op *row,
			 berth_object *object)
{
	struct berth__facts *facts = calloc(1, sizeof(*facts));
	berth_status st = BERTH_OK;

	if (!facts)
		return no_memory();
	object->user = facts;
	facts->created_seq = row->seq;
	facts->own_bytes = object->root == object ? object->bytes : 0;
	/* Content from the beginning. */
	if (row->op.flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR))
		facts->first_use = facts->last_use = facts->content_seq = row->seq;
	run->found->created++;
	run->alive_bytes += facts->own_bytes;
	if (run->alive_bytes > run->peak_bytes)
		run->peak_bytes = run->alive_bytes;
	for (size_t i = 0; st == BERTH_OK && i < ANALYSERS; i++)
		if (analysers[i]->made)
			st = analysers[i]->made(run, run->states[i], row, object);
	return st;
}

static berth_status look_at(struct berth__finding_run *run, const berth_trace_op *row)
{
	berth_object *object = NULL;
	berth_status st = BERTH_OK;

	run->seq = row->seq;
	if (run->first_ns == 0)
		run->first_ns = row->t_ns;
	if (row->t_ns > run->last_ns)
		run->last_ns = row->t_ns;
	for (size_t i = 0; st == BERTH_OK && i < ANALYSERS; i++)
		if (analysers[i]->op)
			st = analysers[i]->op(run, run->states[i], row);
	if (st != BERTH_OK || row->result.cl_status != CL_SUCCESS)
		return st;
	touch_all(run, row);
	if (row->op.kind == BERTH_OP_ORDER || row->op.kind == BERTH_OP_LABEL)
		return BERTH_OK;
	st = berth_objects_apply(run->objects, &row->op, &object);
	/* What the table cannot follow, as a release of NULL that the driver accepted, is no object. */
	if (st == BERTH_E_NOMEM)
		return st;
	return object ? made(run, row, object) : BERTH_OK;
}

static berth_status begin(struct berth__finding_run *run)
{
	berth_status st = berth_objects_create(&run->objects, on_end, run);

	for (size_t i = 0; st == BERTH_OK && i < ANALYSERS; i++) {
		run->states[i] = calloc(1, analysers[i]->state_bytes);
		if (!run->states[i])
			st = no_memory();
		else if (analysers[i]->begin)
			st = analysers[i]->begin(run, run->states[i]);
	}
	return st;
}

static berth_status report(struct berth__finding_run *run)
{
	berth_status st = berth__finding_leaks(run);

	for (size_t i = 0; st == BERTH_OK && i < ANALYSERS; i++)
		st = analysers[i]->report(run, run->states[i]);
	return st;
}

static berth_status look(struct berth__finding_run *run)
{
	const berth_trace_op *row;
	berth_status st = begin(run);
	uint64_t released;

	if (st == BERTH_OK)
		st = berth_trace_select(run->trace, BERTH_TRACE_FIELDS_ALL);
	while (st == BERTH_OK && (st = berth_trace_next(&row, run->trace)) == BERTH_OK && row)
		if (row->answered)
			st = look_at(run, row);
	/* Objects of the end: told to the analysers, and not released. */
	released = run->found->released;
	if (run->objects)
		berth_objects_destroy(run->objects);
	run->found->released = released;
	return st == BERTH_OK ? report(run) : st;
}

static void run_free(struct berth__finding_run *run)
{
	for (size_t i = 0; i < ANALYSERS; i++) {
		if (run->states[i] && analysers[i]->free)
			analysers[i]->free(run->states[i]);
		free(run->states[i]);
	}
}

static int by_kind(const void *a, const void *b)
{
	const berth_finding *one = a, *two = b;

	if (one->kind != two->kind)
		return one->kind < two->kind ? -1 : 1;
	return (one->bytes < two->bytes) - (one->bytes > two->bytes);
}

static berth_status look_at_all(struct berth__finding_run *run)
{
	struct berth__finding_residency *residency = NULL;
	berth_residency *transfers = NULL;
	berth_summary *summary = NULL;
	berth_status st, ended;

	st = berth__finding_residency_begin(&residency, run->trace->path);
	if (st == BERTH_OK)
		st = berth_trace_summarise(&summary, run->trace);
	run->summary = summary;
	if (st == BERTH_OK)
		st = look(run);
	ended = berth__finding_residency_end(residency, &transfers);
	if (st == BERTH_OK)
		st = ended;
	if (st == BERTH_OK)
		st = berth__finding_transfers(run, transfers);
	berth_residency_free(transfers);
	run_free(run);
	berth_summary_free(summary);
	return st;
}

static berth_status find(struct berth__finding_run *run, const berth_caps *caps)
{
	berth_caps recorded;
	berth_status st = BERTH_OK;

	if (!caps && berth_trace_get_info(run->trace)->device_count > 0)
		st = berth_trace_device(&recorded, run->trace, 0);
	else if (!caps)
		berth_caps_init_minimum(&recorded, 300);
	run->caps = caps ? caps : &recorded;
	run->op_count = berth_trace_get_info(run->trace)->op_count;
	return st == BERTH_OK ? look_at_all(run) : st;
}

berth_status berth_findings_find(berth_findings **out, berth_trace *trace, const berth_caps *caps)
{
	struct berth__finding_run run = { .trace = trace };
	berth_status st;

	run.found = calloc(1, sizeof(*run.found));
	if (!run.found)
		return no_memory();
	st = find(&run, caps);
	if (st != BERTH_OK) {
		berth_findings_free(run.found);
		return st;
	}
	if (run.found->count > 0)
		qsort((berth_finding *)run.found->items, run.found->count, sizeof(berth_finding),
		      by_kind);
	*out = run.found;
	return BERTH_OK;
}

void berth_findings_free(berth_findings *findings)
{
	if (!findings)
		return;
	free((berth_finding *)findings->items);
	free(findings);
}
