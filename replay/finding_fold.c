/* SPDX-License-Identifier: Apache-2.0 */
/* Many of the same become one finding: counted, added up, the worst few named. */
#include "finding.h"

#include "finding_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <CL/cl.h>

const char *berth__finding_kind(const struct berth__finding_object *object)
{
	static const char *const kinds[] = { NULL, "buffer", "subbuffer", "image", "svm", "pipe" };

	return kinds[object->object->kind];
}

static bool is_worse(const berth_finding_object *one, const berth_finding_object *other)
{
	if (one->bytes != other->bytes)
		return one->bytes > other->bytes;
	return one->time_ns != other->time_ns ? one->time_ns > other->time_ns : one->op < other->op;
}

/* An object that comes again is named once, with the sum of what was kept of it. */
static void take_out(struct berth__finding_fold *fold, berth_finding_object *one)
{
	uint32_t at = 0;

	while (at < fold->worst_count && fold->worst[at].id != one->id)
		at++;
	if (one->id == BERTH_ID_NONE || at == fold->worst_count)
		return;
	one->op = fold->worst[at].op < one->op ? fold->worst[at].op : one->op;
	one->bytes = berth__finding_add(one->bytes, fold->worst[at].bytes);
	one->time_ns = berth__finding_add(one->time_ns, fold->worst[at].time_ns);
	fold->worst_count--;
	memmove(&fold->worst[at], &fold->worst[at + 1],
		(fold->worst_count - at) * sizeof(*fold->worst));
}

static void keep_worst(struct berth__finding_fold *fold, berth_finding_object one)
{
	uint32_t at;

	take_out(fold, &one);
	at = fold->worst_count;
	while (at > 0 && is_worse(&one, &fold->worst[at - 1]))
		at--;
	if (at == BERTH_FINDING_OBJECTS_MAX)
		return;
	if (fold->worst_count < BERTH_FINDING_OBJECTS_MAX)
		fold->worst_count++;
	memmove(&fold->worst[at + 1], &fold->worst[at],
		(fold->worst_count - at - 1) * sizeof(*fold->worst));
	fold->worst[at] = one;
}

void berth__finding_fold_add_described(struct berth__finding_scan *scan,
				       struct berth__finding_fold *fold,
				       const berth_finding_object *one)
{
	/* At the end they come in no order. */
	if (fold->count++ == 0)
		fold->op = scan->ending ? one->op : scan->op;
	else if (scan->ending && one->op < fold->op)
		fold->op = one->op;
	fold->bytes = berth__finding_add(fold->bytes, one->bytes);
	fold->time_ns = berth__finding_add(fold->time_ns, one->time_ns);
	keep_worst(fold, *one);
}

berth_finding_object berth__finding_describe(const struct berth__finding_object *object,
					     uint64_t bytes, uint64_t time_ns)
{
	berth_finding_object one = { .id = object->id,
				     .op = object->made_op,
				     .bytes = bytes,
				     .time_ns = time_ns,
				     .stack = object->stack,
				     .kind = berth__finding_kind(object) };

	snprintf(one.label, sizeof(one.label), "%s", object->label ? object->label : "");
	return one;
}

void berth__finding_fold_add(struct berth__finding_scan *scan, struct berth__finding_fold *fold,
			     const struct berth__finding_object *object, uint64_t bytes,
			     uint64_t time_ns)
{
	const berth_finding_object one = berth__finding_describe(object, bytes, time_ns);

	berth__finding_fold_add_described(scan, fold, &one);
}

void berth__finding_fold_add_op(struct berth__finding_scan *scan, struct berth__finding_fold *fold,
				uint64_t id, uint64_t bytes, uint64_t time_ns)
{
	const berth_finding_object one = {
		.id = id == BERTH_ID_UNKNOWN ? BERTH_ID_NONE : id,
		.op = scan->op,
		.bytes = bytes,
		.time_ns = time_ns,
		.stack = scan->row->stack,
	};

	berth__finding_fold_add_described(scan, fold, &one);
}

void berth__finding_fold_at_peak(struct berth__finding_scan *scan, struct berth__finding_fold *fold,
				 const struct berth__finding_object *object, uint64_t from_op,
				 uint64_t bytes, uint64_t time_ns)
{
	if (from_op > scan->peak_op || scan->op <= scan->peak_op || bytes == 0)
		return;
	if (fold->peak_op != scan->peak_op) {
		memset(fold, 0, sizeof(*fold));
		fold->peak_op = scan->peak_op;
	}
	berth__finding_fold_add(scan, fold, object, bytes, time_ns);
	if (object->made_op < fold->op || fold->count == 1)
		fold->op = object->made_op;
}

bool berth__finding_fold_counts(const struct berth__finding_scan *scan,
				const struct berth__finding_fold *fold, unsigned least_percent)
{
	return fold->count > 0 && fold->peak_op == scan->peak_op &&
	       fold->bytes >= FINDING_LEAST_BYTES &&
	       fold->bytes >= scan->peak_bytes / 100 * least_percent;
}

const char *berth__finding_size(uint64_t bytes)
{
	static const char *const units[] = { "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
	static _Thread_local char texts[8][48];
	static _Thread_local unsigned next;
	char *text = texts[next++ % 8];
	double value = (double)bytes / 1024;
	int unit = 0;

	if (bytes < 1024) {
		snprintf(text, sizeof(texts[0]), "%llu bytes", (unsigned long long)bytes);
		return text;
	}
	for (; value >= 1024 && unit < 5; unit++)
		value /= 1024;
	snprintf(text, sizeof(texts[0]), "%llu bytes (%.1f %s)", (unsigned long long)bytes, value,
		 units[unit]);
	return text;
}

void berth__finding_emit(struct berth__finding_scan *scan, const char *rule,
			 const struct berth__finding_fold *fold, const char *format, ...)
{
	berth_finding *finding = berth__finding_list_append(scan->findings, rule);
	va_list args;

	if (!finding) {
		scan->status = berth_error_set(BERTH_E_NOMEM, 0, "out of memory for findings");
		return;
	}
	va_start(args, format);
	vsnprintf(finding->text, sizeof(finding->text), format, args);
	va_end(args);
	finding->count = fold->count;
	finding->bytes = fold->bytes;
	finding->time_ns = fold->time_ns;
	finding->op = fold->op;
	finding->object_count = fold->worst_count;
	memcpy(finding->objects, fold->worst, sizeof(finding->objects));
}

uint64_t berth__finding_image_bytes(const berth_caps *caps, const berth_object *object)
{
	uint64_t align, row, bytes;

	if (!caps || !caps->images || !caps->image2d_from_buffer ||
	    object->kind != BERTH_OBJECT_IMAGE || object->image.type != CL_MEM_OBJECT_IMAGE2D ||
	    object->image.width > UINT32_MAX ||
	    (align = berth_caps_pitch_align_bytes(caps, object->element_bytes)) == 0)
		return 0;
	row = (object->image.width * object->element_bytes + align - 1) / align * align;
	return __builtin_mul_overflow(row, object->image.height, &bytes) ? 0 : bytes;
}

bool berth__finding_is_whole(const struct berth__finding_object *object, const berth_op *op)
{
	const berth_object *what = object->object;

	if (object->root != object)
		return false;
	if (op->form == BERTH_FORM_LINEAR)
		return op->bytes == what->bytes &&
		       (op->kind == BERTH_OP_COPY && op->object != object->id
				? op->other_offset_bytes
				: op->offset_bytes) == 0;
	return op->form == BERTH_FORM_IMAGE && what->image.type == CL_MEM_OBJECT_IMAGE2D &&
	       op->kind != BERTH_OP_COPY && op->region.origin[0] == 0 &&
	       op->region.origin[1] == 0 && op->region.extent[0] == what->image.width &&
	       op->region.extent[1] == what->image.height;
}
