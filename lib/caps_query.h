/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Capabilities asked of a driver, through functions that the caller names: the
 * OpenCL device passes libOpenCL's, the record layer those of its target.
 */
#ifndef BERTH_LIB_CAPS_QUERY_H
#define BERTH_LIB_CAPS_QUERY_H

#include <CL/cl.h>

#include <berth/caps.h>

/* All required. */
struct berth__caps_calls {
	cl_int(CL_API_CALL *get_platform_info)(cl_platform_id platform, cl_platform_info name,
					       size_t size, void *value, size_t *size_ret);
	cl_int(CL_API_CALL *get_device_info)(cl_device_id device, cl_device_info name, size_t size,
					     void *value, size_t *size_ret);
	cl_int(CL_API_CALL *get_supported_image_formats)(cl_context context, cl_mem_flags flags,
							 cl_mem_object_type type, cl_uint entries,
							 cl_image_format *formats, cl_uint *count);
};

/*
 * Ask a device. Queries that not every version or device has may be refused;
 * what they would have said is then 0, false or not known.
 *
 * Images on buffers: a device that lists cl_khr_image2d_from_buffer has them;
 * without the extension, one of version 2.0 or later, unless it answers 0 for
 * the pitch alignment. An alignment that such a device does not tell is 1.
 *
 * context: for the image formats; NULL leaves them unknown. Formats that the
 * specification does not define are left out; a driver with more than
 * BERTH_FORMATS_MAX counts as one that does not tell.
 *
 * BERTH_OK; BERTH_E_CL: a query that every version has was refused;
 * BERTH_E_NOMEM. *out is written only on BERTH_OK.
 */
berth_status berth__caps_query(berth_caps *out, const struct berth__caps_calls *calls,
			       cl_device_id device, cl_context context);

#endif
