/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The OpenCL device: executes ops on a real driver. Not there in a Berth that
 * was configured --without-opencl.
 *
 * Ops reach the driver as they are, broken ones too, through one in-order queue;
 * the answer is the driver's. Handles that are not known (BERTH_ID_UNKNOWN, or
 * an id that ended) are not passed on, because drivers crash on them: the answer
 * is then CL_INVALID_MEM_OBJECT, without the driver. NULL is passed on: to refuse
 * it is the driver's part. Some drivers crash on other broken ops; to try such
 * ops, use a child process.
 *
 * A `use` cannot run the kernel. It migrates the listed objects to the device,
 * content kept, which makes lazy drivers commit their memory as the kernel would
 * (OpenCL 1.2; before, it does nothing).
 *
 * There is no answer, and the driver is not called: BERTH_E_INVAL when host bytes
 * that the call would use are not there (host is NULL, host_address is not 0);
 * BERTH_E_UNSUPPORTED when the device's version lacks the call;
 * BERTH_E_OVERFLOW when a size does not fit the machine's size_t.
 *
 * Threads: calls on one device are serialised by the caller (device.h). Finding and
 * asking devices may be done from any thread, as the OpenCL calls behind it.
 *
 * Accounting (berth_device_memory()) adds up what was asked: CL_MEM_SIZE of the
 * objects that own memory.
 */
#ifndef BERTH_OPENCL_H
#define BERTH_OPENCL_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#ifndef CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#endif
#include <CL/cl.h>

#include <berth/pool.h>

BERTH_BEGIN_DECLS

/** Options of berth_opencl_create(). Start from BERTH_OPENCL_OPTIONS_INIT. */
typedef struct berth_opencl_options {
	uint32_t size; /**< sizeof(berth_opencl_options) */
	/** The device to use; required. */
	cl_device_id device;
	/** A context to use, with @p device in it; retained. NULL: make one. */
	cl_context context;
	/**
	 * A host queue of @p context on @p device; retained. NULL: make an in-order
	 * one. With a queue of the caller's, ordering is the caller's too.
	 */
	cl_command_queue queue;
	/**
	 * Commands of different op.queue go to queues of their own, in order each, and made when
	 * first named; op.queue 0: to the one used last. A command waits for all that were
	 * enqueued before it on other queues, so the order of the ops stays what counts. Not
	 * together with @p queue.
	 */
	bool queues;
} berth_opencl_options;

#define BERTH_OPENCL_OPTIONS_INIT { sizeof(berth_opencl_options), NULL, NULL, NULL, false }

/**
 * Open a device on a driver.
 * @param[out] out  owned by the caller (berth_device_destroy())
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL  no device, a queue without its context or with queues, or another size
 * @retval BERTH_E_CL     the driver refused; the detail says which call and code
 * @retval BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_opencl_create(berth_device **out,
							    const berth_opencl_options *options);

/**
 * Find a device by name.
 * @param platform  part of CL_PLATFORM_NAME, case ignored; the first platform
 *                  that matches and has devices
 * @param index     which device of that platform, from 0
 * @retval BERTH_OK
 * @retval BERTH_E_NOT_FOUND  the detail lists the platforms that are there
 * @retval BERTH_E_CL, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_opencl_find(cl_device_id *out, const char *platform,
							  uint32_t index);

/** One call per device: its platform's name, its index there. Return false to stop. */
typedef bool berth_opencl_visit_fn(cl_device_id device, const char *platform, uint32_t index,
				   void *userdata);

/**
 * Visit every device of every platform.
 * @retval BERTH_OK  also when there is none
 * @retval BERTH_E_CL, BERTH_E_NOMEM  what came before was visited
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_opencl_each(berth_opencl_visit_fn *visit,
							  void *userdata);

/**
 * The capabilities of a driver's device, asked of the driver.
 * @param context  needed for the image formats; NULL leaves them unknown
 * @retval BERTH_OK
 * @retval BERTH_E_CL  a query that every version has was refused
 * @retval BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_opencl_caps(berth_caps *out, cl_device_id device,
							  cl_context context);

/**
 * @return the cl_mem of an object, to be set as a kernel argument; borrowed,
 * valid until the object ends; NULL when @p object is not known or @p device
 * is not an OpenCL device.
 */
BERTH_API cl_mem berth_opencl_mem(const berth_device *device, uint64_t object);

/** @return the device's queue or context, borrowed; NULL for other devices. */
BERTH_API cl_command_queue berth_opencl_queue(const berth_device *device);
BERTH_API cl_context berth_opencl_context(const berth_device *device);

/**
 * A fence of an event, for berth_storage_release(): complete when the event's command
 * is, with an error too.
 * @param[out] out  its drop releases the event; call it when no release takes it over
 * @param event     retained
 * @retval BERTH_OK
 * @retval BERTH_E_CL  not an event
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_opencl_fence(berth_fence *out, cl_event event);

BERTH_END_DECLS

#endif
