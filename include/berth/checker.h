/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The checker: executes each op on a subject and on a reference, and compares.
 *
 * Compared: the status (the subject's code must be the reference's or one of its
 * alternatives, berth_result.codes); the size of a created buffer; the row pitch
 * a created image reports (R90); the bytes that a read or map gives, where the
 * reference knows them (berth_result.unknown_bytes is 0). Left out, because the
 * specification leaves it to the driver: bytes of images, pitches of maps, R1's
 * codes on both sides' memory (out of resources, out of host memory, allocation
 * failure).
 *
 * When the subject refuses what the reference accepts, or the other way round,
 * the two are brought to the same state again: what only one of them made is
 * released there, and counts as one difference. An object that only the subject
 * made is thus gone although the answer, the subject's, is success: whoever goes
 * on after a difference compares both codes in berth_checker_last(). Content that
 * only one of them wrote is unknown from then on.
 *
 * Out of memory on one side only is no difference. The answer is then the
 * failure, whichever side it came from.
 *
 * Reads and maps are made blocking, so that there is something to compare. What
 * the program writes through a mapped pointer goes to the reference at the unmap.
 * Memory lent with CL_MEM_USE_HOST_PTR is the subject's; the reference gets a copy.
 *
 * Threads: calls on one checker are serialised by the caller (device.h).
 */
#ifndef BERTH_CHECKER_H
#define BERTH_CHECKER_H

#include <berth/device.h>

BERTH_BEGIN_DECLS

typedef enum berth_difference_kind {
	BERTH_DIFFERENCE_NONE = 0,
	BERTH_DIFFERENCE_STATUS,  /**< code outside the allowed set */
	BERTH_DIFFERENCE_SIZE,	  /**< CL_MEM_SIZE of a buffer */
	BERTH_DIFFERENCE_PITCH,	  /**< CL_IMAGE_ROW_PITCH */
	BERTH_DIFFERENCE_CONTENT, /**< bytes read or mapped */
} berth_difference_kind;

/** What the checker found on the op it executed last. */
typedef struct berth_difference {
	berth_difference_kind kind;
	uint64_t op_index; /**< ops executed before it, from 0 */
	const char *rule;  /**< the rule behind the reference's answer, static, or NULL */
	berth_result subject;
	berth_result reference;
	char text[BERTH_ERROR_MESSAGE_BYTES]; /**< both answers in one line */
} berth_difference;

typedef struct berth_check_counts {
	uint64_t ops;		     /**< executed on both */
	uint64_t differences;
	uint64_t content_compared;   /**< reads and maps whose bytes were compared */
	uint64_t content_unknown;    /**< left out: not known to the reference, in whole or in part */
	uint64_t memory_failures;    /**< out of memory on one side only; not a difference */
} berth_check_counts;

/**
 * Make a checker. Its answer to an op is the subject's, with the reference's rule
 * and codes; its capabilities and memory are the subject's.
 * @param subject, reference  taken over: destroyed with the checker
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL, BERTH_E_NOMEM  nothing is taken over
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_checker_create(berth_device **out,
							     berth_device *subject,
							     berth_device *reference);

/**
 * @return what was found on the op executed last (both answers, also when the kind
 * is NONE); borrowed until the next op. NULL when @p checker is another device.
 */
BERTH_API const berth_difference *berth_checker_last(const berth_device *checker);

/**
 * @return the first difference of all; kind NONE when there was none. Borrowed.
 * NULL when @p checker is another device.
 */
BERTH_API const berth_difference *berth_checker_first(const berth_device *checker);

/** @return the counts so far; borrowed. NULL when @p checker is another device. */
BERTH_API const berth_check_counts *berth_checker_counts(const berth_device *checker);

BERTH_END_DECLS

#endif
