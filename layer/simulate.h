/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The simulate layer: what stands below the wrappers when a program runs as if on another device.
 * Each call is first executed on a simulator of the profile, without bytes; what it refuses is not
 * forwarded. One simulator a real device; a context is on its first device's.
 */
#ifndef BERTH_LAYER_SIMULATE_H
#define BERTH_LAYER_SIMULATE_H

#include "layer_call.h"

#include <berth/sim.h>

/* What the program sees of a real device, and the simulator that answers for it. */
struct simulated {
	cl_device_id device;
	const berth_profile *profile;
	pthread_mutex_t lock; /* over `simulator` */
	berth_device *simulator;
	_Atomic int aliases; /* simulate_alias.h */
};

/* The driver's own functions, where ours stand in front of them. */
extern cl_icd_dispatch berth__simulate_real;

/* simulate_devices.c. False: there is nothing to simulate, or it cannot be read; the reason is
 * said. */
bool berth__simulate_devices_start(void);
void berth__simulate_devices_forget(void);
/* The simulated device of a real one, made when it is seen first; NULL: no memory, or too many. */
struct simulated *berth__simulate_device(cl_device_id device);
void berth__simulate_context(uint32_t id, cl_context context);
/* NULL: not known. */
struct simulated *berth__simulate_of_context(uint32_t id);
/* The same by handle. */
struct simulated *berth__simulate_of_context_handle(cl_context context);

/* simulate_type.c: devices of another type. */
void berth__simulate_type_start(cl_device_type type); /* 0: their own */
cl_device_type berth__simulate_type(void);
cl_int CL_API_CALL berth__simulate_clGetDeviceIDs(cl_platform_id platform, cl_device_type type,
						  cl_uint count, cl_device_id *devices,
						  cl_uint *count_ret);
cl_context CL_API_CALL berth__simulate_clCreateContextFromType(
	const cl_context_properties *properties, cl_device_type type,
	void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user_data,
	cl_int *status);

/* simulate_info.c, simulate_query.c: functions that stand in front of the driver's. */
cl_int CL_API_CALL berth__simulate_clGetDeviceInfo(cl_device_id device, cl_device_info name,
						   size_t size, void *value, size_t *size_ret);
cl_int CL_API_CALL berth__simulate_clGetSupportedImageFormats(
	cl_context context, cl_mem_flags flags, cl_mem_object_type type, cl_uint count,
	cl_image_format *formats, cl_uint *count_ret);
cl_int CL_API_CALL berth__simulate_clGetMemObjectInfo(cl_mem object, cl_mem_info name, size_t size,
						      void *value, size_t *size_ret);
cl_int CL_API_CALL berth__simulate_clGetImageInfo(cl_mem image, cl_image_info name, size_t size,
						  void *value, size_t *size_ret);
/* Whether the driver makes 2D images on buffers itself. */
bool berth__simulate_real_has_images_on_buffers(cl_device_id device);
void berth__simulate_keep_sizes(const void *object, const struct berth_spool_result *sizes);
/* A handle that was an image's may be given out again for a buffer. */
void berth__simulate_drop_sizes(const void *object);
void berth__simulate_forget_sizes(void);

/* simulate_say.c: what is said on stderr. */
void berth__simulate_say_start(bool explain);
/* The profile refuses `op`. The thread's error detail has the reason. */
void berth__simulate_say_refused(const struct simulated *simulated, const berth_op *op,
				 const berth_result *result);
/* The driver refuses what the profile accepts. */
void berth__simulate_say_own(const struct simulated *simulated, const berth_op *op, cl_int code);
void berth__simulate_say_end(void);
/* "berth: " and a line, in one write: several threads and processes may say something. */
void berth__simulate_say(const char *format, ...) BERTH_PRINTF(1, 2);

#endif
