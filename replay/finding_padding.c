/* SPDX-License-Identifier: Apache-2.0 */
/* F-PADDING: rows of images that would be padded on a buffer, and buffers of less than a page. */
#include "finding.h"

#include <inttypes.h>

#include <CL/cl.h>

#define BYTES_MIN (UINT64_C(64) << 10)
#define PERCENT_MIN 25

/* Drivers map memory in pages of at least so many bytes. */
#define PAGE_BYTES 4096

struct sum {
	uint64_t count, packed, padding;      /* now */
	uint64_t most_count, most_packed, most_padding; /* where the padding was the most */
	uint64_t op, object;		      /* there */
	uint64_t worst_padding;
};

struct padding {
	struct sum images, pages;
};

/* Of a 2D image with memory of its own, as a pool would lay it out; 0: it is no such image. */
static uint64_t image_padding(const berth_caps *caps, const berth_object *object)
{
	uint64_t row = object->image.width * object->element_bytes, over;
	uint64_t align = object->element_bytes
				 ? berth_caps_pitch_align_bytes(caps, object->element_bytes)
				 : 0;

	if (object->kind != BERTH_OBJECT_IMAGE || object->root != object || align == 0 ||
	    object->image.type != CL_MEM_OBJECT_IMAGE2D)
		return 0;
	over = row % align;
	return over ? (align - over) * object->image.height : 0;
}

static uint64_t page_padding(const berth_object *object)
{
	uint64_t bytes = berth__facts_of(object)->own_bytes;

	return object->kind == BERTH_OBJECT_BUFFER && bytes > 0 && bytes < PAGE_BYTES &&
			       !(object->flags & CL_MEM_USE_HOST_PTR)
		       ? PAGE_BYTES - bytes
		       : 0;
}

static void add(struct sum *sum, const struct berth__finding_run *run, const berth_object *object,
		uint64_t padding)
{
	if (padding == 0)
		return;
	sum->count++;
	sum->packed += berth__facts_of(object)->own_bytes;
	sum->padding += padding;
	if (padding > sum->worst_padding) {
		sum->worst_padding = padding;
		sum->object = object->id;
	}
	if (sum->padding <= sum->most_padding)
		return;
	sum->most_padding = sum->padding;
	sum->most_packed = sum->packed;
	sum->most_count = sum->count;
	sum->op = run->seq;
}

static void take(struct sum *sum, const berth_object *object, uint64_t padding)
{
	if (padding == 0)
		return;
	sum->count--;
	sum->packed -= berth__facts_of(object)->own_bytes;
	sum->padding -= padding;
}

static berth_status made(struct berth__finding_run *run, void *state, const berth_trace_op *row,
			 const berth_object *object)
{
	struct padding *padding = state;

	(void)row;
	add(&padding->images, run, object, image_padding(run->caps, object));
	add(&padding->pages, run, object, page_padding(object));
	return BERTH_OK;
}

static void end(struct berth__finding_run *run, void *state, const berth_object *object)
{
	struct padding *padding = state;

	take(&padding->images, object, image_padding(run->caps, object));
	take(&padding->pages, object, page_padding(object));
}

static berth_finding *begin_finding(struct berth__finding_run *run, const struct sum *sum)
{
	berth_finding *finding = berth__finding_add(run, BERTH_FINDING_PADDING);

	if (!finding)
		return NULL;
	finding->count = sum->most_count;
	finding->bytes = sum->most_padding;
	finding->op = sum->op;
	berth__finding_name(finding, sum->object);
	return finding;
}

static berth_status tell_images(struct berth__finding_run *run, const struct sum *sum)
{
	char padding[BERTH__BYTES_TEXT], packed[BERTH__BYTES_TEXT];
	berth_finding *finding;

	if (sum->most_padding < BYTES_MIN ||
	    berth__percent(sum->most_padding, sum->most_packed) < PERCENT_MIN)
		return BERTH_OK;
	finding = begin_finding(run, sum);
	if (!finding)
		return BERTH_E_NOMEM;
	berth__finding_say(finding,
			   "on buffers, with rows padded to the device's %" PRIu32
			   " %s (CL_DEVICE_IMAGE_PITCH_ALIGNMENT), %" PRIu64
			   " images of %s would take %s more, %" PRIu64 " %%",
			   run->caps->image_pitch_align,
			   run->caps->pitch_unit == BERTH_PITCH_UNIT_BYTES ? "bytes" : "pixels",
			   sum->most_count, berth__bytes_text(packed, sum->most_packed),
			   berth__bytes_text(padding, sum->most_padding),
			   berth__percent(sum->most_padding, sum->most_packed));
	berth__finding_advise(finding, "make them wider and less high, or leave narrow ones buffers");
	return BERTH_OK;
}

static berth_status tell_pages(struct berth__finding_run *run, const struct sum *sum)
{
	char padding[BERTH__BYTES_TEXT], packed[BERTH__BYTES_TEXT];
	berth_finding *finding;

	if (sum->most_padding < BERTH__MIB ||
	    berth__percent(sum->most_padding, run->peak_bytes) < PERCENT_MIN)
		return BERTH_OK;
	finding = begin_finding(run, sum);
	if (!finding)
		return BERTH_E_NOMEM;
	berth__finding_say(finding,
			   "%" PRIu64 " buffers of less than a page were alive at once: they ask for %s, "
			   "and in pages of %d bytes take %s more",
			   sum->most_count, berth__bytes_text(packed, sum->most_packed), PAGE_BYTES,
			   berth__bytes_text(padding, sum->most_padding));
	berth__finding_advise(finding, "make one buffer of many, with sub-buffers or offsets");
	return BERTH_OK;
}

static berth_status report(struct berth__finding_run *run, void *state)
{
	const struct padding *padding = state;
	berth_status st = tell_images(run, &padding->images);

	return st == BERTH_OK ? tell_pages(run, &padding->pages) : st;
}

const struct berth__analyser berth__finding_padding = {
	.state_bytes = sizeof(struct padding),
	.made = made,
	.end = end,
	.report = report,
};
