/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The fault device: passes ops on to an inner device, and fails chosen ones.
 *
 * For tests of what a program does when memory runs out or a device is lost. It is
 * deterministic: the same ops and the same specification fail at the same places.
 *
 * A specification is text, one or several faults joined by ',':
 *
 * | fault | what fails |
 * |---|---|
 * | `nth=5` | the 5th op, counted from 1 |
 * | `nth=5:buffer_create` | the 5th op of that kind |
 * | `rate=0.01:seed=7` | each op with this probability; the seed is 1 when not given |
 * | `rate=0.01:seed=7:write` | likewise, ops of that kind |
 * | `budget=64M` | creations by which the objects alive would take more; K, M, G, KiB, MiB, GiB |
 * | `lost=100` | the 100th op and all after it |
 *
 * Behind each: `:CODE`, an OpenCL code by name, as `:CL_OUT_OF_RESOURCES`. The
 * default is CL_MEM_OBJECT_ALLOCATION_FAILURE for creations and for the budget,
 * CL_OUT_OF_RESOURCES for other ops, CL_DEVICE_NOT_AVAILABLE for a lost device.
 *
 * Label and sync ops never fail but on a lost device, and are not counted by `nth`
 * and `rate` unless named: no call of the program stands behind a label, and a sync
 * has no answer that a program looks at. The same holds for releases: a program
 * cannot do anything about a release that fails; they are counted and fail when
 * they are named. On a lost device everything fails, and the inner device
 * is not asked any more, but for releases, which take effect and answer the code.
 *
 * Threads: calls on one fault device are serialised by the caller (device.h).
 */
#ifndef BERTH_FAULT_H
#define BERTH_FAULT_H

#include <berth/device.h>

BERTH_BEGIN_DECLS

typedef enum berth_fault_kind {
	BERTH_FAULT_NTH = 0,
	BERTH_FAULT_RATE = 1,
	BERTH_FAULT_BUDGET = 2,
	BERTH_FAULT_LOST = 3,
} berth_fault_kind;

typedef struct berth_fault {
	berth_fault_kind kind;
	uint32_t kinds;	 /**< nth and rate: 1u << berth_op_kind of those that count; 0: any */
	uint64_t number; /**< nth, lost: which op, from 1; budget: bytes */
	double rate;	 /**< 0..1 */
	uint64_t seed;
	int32_t code; /**< 0: the default */
} berth_fault;

#define BERTH_FAULTS_MAX 16

/** What fails. A plain value; zeroed: nothing. */
typedef struct berth_fault_spec {
	uint32_t count;
	berth_fault faults[BERTH_FAULTS_MAX];
} berth_fault_spec;

/** What a fault device has done so far. */
typedef struct berth_fault_counts {
	uint64_t ops;	 /**< executed, failed ones included */
	uint64_t failed; /**< answered by a fault */
	uint64_t first;	 /**< the first of those, counted from 1; 0: none */
} berth_fault_counts;

/**
 * Read a specification. An empty text is no fault at all.
 * @param[out] out  written only on BERTH_OK
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL  the detail names the place in the text and what is allowed
 * Thread safe.
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_fault_parse(berth_fault_spec *out, const char *text);

/**
 * Make a fault device; its capabilities are the inner device's, its name "fault:"
 * and the inner device's.
 * @param inner  taken over: destroyed with the fault device
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL  the specification makes no sense; @p inner is not taken over
 * @retval BERTH_E_NOMEM  likewise
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_fault_create(berth_device **out,
							   const berth_fault_spec *spec,
							   berth_device *inner);

/** @return the counts so far; borrowed. NULL when @p device is no fault device. */
BERTH_API const berth_fault_counts *berth_fault_get_counts(const berth_device *device);

BERTH_END_DECLS

#endif
