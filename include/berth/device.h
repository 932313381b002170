/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * A device: anything that executes memory operations.
 *
 * A real OpenCL driver, a simulated GPU, a checker over two devices: all are a
 * berth_device, and what takes a device can be stacked on any. The interface is public so that a
 * program can add its own.
 *
 * Lifetime: ids are chosen by the caller and never reused; an id is known from
 * the create op that succeeded until the release op that brings its application
 * count to zero. Memory lives until the last object on it is gone: a buffer
 * outlives its sub-buffers and images (R131, R132). berth_device_destroy()
 * completes what is queued and frees whatever is still alive.
 *
 * Threads: calls on one device are serialised by the caller. Different devices
 * are independent. An implementation may promise more and then says so.
 */
#ifndef BERTH_DEVICE_H
#define BERTH_DEVICE_H

#include <berth/caps.h>
#include <berth/op.h>

BERTH_BEGIN_DECLS

typedef struct berth_device berth_device;

/** What a device holds now, and held at most. */
typedef struct berth_memory {
	uint64_t live_objects;	 /**< ids known to the caller */
	uint64_t in_use_bytes;	 /**< memory taken, padding and overhead included where known */
	uint64_t peak_bytes;	 /**< largest in_use_bytes so far */
	uint64_t capacity_bytes; /**< 0: not limited, or not known */
	uint64_t available_bytes; /**< of the capacity: what is not taken yet */
	/** The part of in_use_bytes that is released, and comes free at the next sync; 0 where not known */
	uint64_t unreturned_bytes;
	/** Of a pool's blocks, none of it in in_use_bytes: what lies free in them all ... */
	uint64_t free_bytes;
	uint64_t cached_bytes;	     /**< ... the part of it in blocks that hold nothing else */
	uint64_t largest_hole_bytes; /**< ... the most of it that lies together */
} berth_memory;

/**
 * Version of berth_device_ops that this header describes: a later Berth can tell by
 * it which slots an implementation has.
 */
#define BERTH_DEVICE_OPS_VERSION 2

/**
 * What an implementation provides. Slots are required unless they say otherwise. Called with the
 * device that berth_device_*() was given; never concurrently on one device.
 */
typedef struct berth_device_ops {
	uint32_t version; /**< BERTH_DEVICE_OPS_VERSION */
	/**
	 * Execute one op. @p result comes zeroed. Return BERTH_OK whenever the op got
	 * an answer, a refusal included (result->cl_status says it, and the thread's
	 * error detail explains it); state is then as after a failed OpenCL call:
	 * unchanged. Return another status only when there is no answer: the op kind
	 * is not supported, host memory ran out, a needed host pointer is missing.
	 */
	berth_status (*execute)(berth_device *device, const berth_op *op, berth_result *result);
	/** Fill in @p memory, which comes zeroed. */
	void (*memory)(const berth_device *device, berth_memory *memory);
	/** Free the device and everything on it. Never fails. */
	void (*destroy)(berth_device *device);
	/** Since version 2; NULL: no memory is shared. See berth_device_borrow(). */
	berth_status (*borrow)(berth_device *device, uint64_t object, berth_device *from,
			       uint64_t from_object);
} berth_device_ops;

/** Base of every device; implementations put it first in their own struct. */
struct berth_device {
	const berth_device_ops *ops;
	const berth_caps *caps; /**< owned by the implementation, valid for its life */
	const char *name;	/**< as "sim:adreno-650"; owned by the implementation */
};

/**
 * Execute one op.
 *
 * @param device       not NULL
 * @param op           borrowed; see berth_op for which fields its kind needs
 * @param[out] result  written always; zero but for what the op gives
 * @retval BERTH_OK             there is an answer: result->cl_status
 * @retval BERTH_E_INVAL        kind or form is not one of berth_op_kind/_form, the kind
 *                              has no such form, a list is needed and not there, or host
 *                              bytes are
 * @retval BERTH_E_UNSUPPORTED  the device cannot execute this kind of op
 * @retval BERTH_E_OVERFLOW     a size does not fit 64 bits, or the machine's size_t
 * @retval BERTH_E_NOMEM        host memory ran out
 * @retval BERTH_E_STATE        create or map with an id that is alive, or a reserved id
 * @retval BERTH_E_CL           the driver said success and gave nothing
 * @retval BERTH_E_LOST         the device would crash here (a simulated one), or has
 *                              before: it answers nothing any more
 * A status but BERTH_OK leaves the device as it was.
 * Thread safety: the caller serialises calls on one device.
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_device_execute(berth_device *device,
							     const berth_op *op,
							     berth_result *result);

/**
 * Know an object of another device that shares memory with this one, as devices of one
 * OpenCL context do (OpenCL 3.0 section 3.3), until a release op. Its memory counts where
 * it was created. What commands of the two devices do to it is in order only when the
 * caller waits for those of one before the other's.
 *
 * @param object       a new id on @p device
 * @param from_object  an object of @p from
 * @retval BERTH_OK
 * @retval BERTH_E_UNSUPPORTED  the two share no memory
 * @retval BERTH_E_STATE        @p object is alive or reserved; @p from_object is not alive
 * @retval BERTH_E_CL, BERTH_E_NOMEM
 * Thread safety: the caller serialises calls on both.
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_device_borrow(berth_device *device, uint64_t object,
							    berth_device *from,
							    uint64_t from_object);

/** @return the capabilities; borrowed, constant for the device's life. Thread safe. */
BERTH_API const berth_caps *berth_device_caps(const berth_device *device);

/** @return the name, as "sim:adreno-650"; borrowed. Thread safe. */
BERTH_API const char *berth_device_name(const berth_device *device);

/** What the device holds. @param[out] out written always. */
BERTH_API void berth_device_memory(const berth_device *device, berth_memory *out);

/** Destroy a device with everything on it; NULL is fine. */
BERTH_API void berth_device_destroy(berth_device *device);

BERTH_END_DECLS

#endif
