/* SPDX-License-Identifier: Apache-2.0 */
/* The rules and what checks them. doc/findings.md explains each, with its threshold. */
#include "finding.h"

/* clang-format off */
const berth_finding_rule berth__finding_rules[] = {
	{ "F-REFUSED", "memory was refused",
	  "make the request smaller, split it, or release what is idle before it", false },
	{ "F-OVER-MEMORY", "more is alive than the device has memory",
	  "release or share before the creation that crosses it: the failure comes at a later command", false },
	{ "F-OVER-LIMIT", "a size is over a limit of the device",
	  "split the object, reshape the image, or use a buffer instead", false },
	{ "F-MISALIGNED", "sub-buffers begin where the device does not let them",
	  "round offsets up to the largest alignment of the devices that the program is for", false },
	{ "F-NEAR-LIMIT", "a size is just below a limit of the device",
	  "plan for a split before inputs grow", false },
	{ "F-LEAK", "objects are never released",
	  "release them when their last user is done", false },
	{ "F-BACKLOG", "memory that was released waits for commands",
	  "wait for the queue, or release by events, before more is made: this is no leak", false },
	{ "F-PARENT-HELD", "released memory is held by what lies on it",
	  "release the sub-buffers and images with their parent, or make them on a smaller one", false },
	{ "F-IDLE", "memory at the peak had seen its last use",
	  "release it after its last use, before more is made", false },
	{ "F-SHARE", "images and buffers could share storage",
	  "make the later one on the storage of the earlier one, which is not used any more", false },
	{ "F-DUPLICATE", "objects hold the same content",
	  "upload it once and share the object, or make the image on the buffer", false },
	{ "F-SAME-TWICE", "content is in host memory and in device memory that are one",
	  "import it with CL_MEM_USE_HOST_PTR, or load it through a mapping and drop the source", false },
	{ "F-PAD", "rows of images are padded",
	  "choose widths that are multiples of the pitch alignment, or put several rows' content into one", false },
	{ "F-ROUNDING", "buffers are larger than what is put into them",
	  "round sizes less, or place several requests in one buffer", false },
	{ "F-ALIGN-UNIT", "offsets look like an alignment in bits that was taken for bytes",
	  "divide CL_DEVICE_MEM_BASE_ADDR_ALIGN by 8", false },
	{ "F-PITCH-UNIT", "row pitches look like an alignment in pixels that was taken for bytes",
	  "multiply CL_DEVICE_IMAGE_PITCH_ALIGNMENT by the bytes of a pixel", false },
	{ "F-CHURN", "objects of one size are made and released again and again",
	  "keep them and use them again, as a pool does", false },
	{ "F-REDUNDANT", "transfers move what the other side has already",
	  "keep the content where it is, and transfer what changed", false },
	{ "F-PING-PONG", "the same content goes up and down",
	  "leave it on the device between its uses", false },
	{ "F-ZERO-COPY", "zero copy is asked for, and copies are made",
	  "align host pointers to 4096 and sizes to 64 bytes, and map instead of reading and writing", false },
	{ "F-READ-WAITS", "blocking reads wait for kernels",
	  "look at the kernels, not at the transfer: wait for the queue first to see which is slow", false },
	{ "F-STALE-ARG", "kernels are enqueued with released objects as arguments",
	  "set the argument again before the object is released", false },
	{ "F-USE-AFTER-END", "commands use objects that are gone",
	  "release an object after its last command is enqueued", false },
	{ "F-DOUBLE-RELEASE", "objects are released once too often",
	  "drop the second release, or retain for its owner", false },
	{ "F-RELEASE-NULL", "NULL is released",
	  "skip objects that were not made: the specification makes this an error", false },
	{ "F-BALANCED", "all objects are released",
	  "look below the API, in the driver, or at host memory, if memory grows all the same", true },
	{ NULL, NULL, NULL, false },
};
/* clang-format on */

const struct berth__finding_checker *const berth__finding_checkers[] = {
	&berth__finding_refused,   &berth__finding_limit,   &berth__finding_leak,
	&berth__finding_backlog,   &berth__finding_parent,  &berth__finding_idle,
	&berth__finding_share,	   &berth__finding_content, &berth__finding_padding,
	&berth__finding_alignment, &berth__finding_churn,   &berth__finding_transfer,
	&berth__finding_host,	   &berth__finding_wait,    &berth__finding_argument,
	&berth__finding_release,
};

const size_t berth__finding_checker_count =
	sizeof(berth__finding_checkers) / sizeof(berth__finding_checkers[0]);

const berth_finding_rule *berth_finding_rule_at(size_t index)
{
	const size_t count = sizeof(berth__finding_rules) / sizeof(berth__finding_rules[0]) - 1;

	return index < count ? &berth__finding_rules[index] : NULL;
}
