/* SPDX-License-Identifier: Apache-2.0 */
/* Image formats, and sizes and pitches of images, as the profile has them. */
#include "simulate_alias.h"

#include <stdlib.h>
#include <string.h>

/* The sizes of images by handle, until the handle is given out again. */
static struct berth__handle_map sizes_map;

void berth__simulate_forget_sizes(void)
{
	berth__handle_map_init(&sizes_map);
}

void berth__simulate_keep_sizes(const void *object, const struct berth_spool_result *sizes)
{
	struct berth__handle entry = { .handle = object, .references = 1 }, replaced = { 0 };
	struct berth_spool_result *own = malloc(sizeof(*own));

	if (!own)
		return; /* then the driver's sizes are seen */
	*own = *sizes;
	entry.extra = own;
	if (!berth__handle_insert(&sizes_map, &entry, &replaced))
		free(own);
	if (replaced.handle)
		free(replaced.extra);
}

void berth__simulate_drop_sizes(const void *object)
{
	struct berth__handle entry;

	if (berth__handle_release(&sizes_map, object, &entry))
		free(entry.extra);
}

static bool find_sizes(const void *object, struct berth_spool_result *out)
{
	struct berth__handle *entry = berth__handle_lock(&sizes_map, object);

	if (!entry)
		return false;
	*out = *(const struct berth_spool_result *)entry->extra;
	berth__handle_unlock(&sizes_map, object);
	return true;
}

/* The program asks, and not the driver inside one of its calls. */
static bool is_asked(const void *object, struct berth_spool_result *out)
{
	return berth__this_thread.depth == 0 && find_sizes(object, out);
}

static cl_int answer(const void *value, size_t bytes, size_t room, void *out, size_t *bytes_ret)
{
	if (out && room < bytes)
		return CL_INVALID_VALUE;
	if (out)
		memcpy(out, value, bytes);
	if (bytes_ret)
		*bytes_ret = bytes;
	return CL_SUCCESS;
}

static cl_int answer_size(size_t value, size_t room, void *out, size_t *bytes_ret)
{
	return answer(&value, sizeof(value), room, out, bytes_ret);
}

cl_int CL_API_CALL berth__simulate_clGetMemObjectInfo(cl_mem object, cl_mem_info name, size_t size,
						      void *value, size_t *size_ret)
{
	struct berth_spool_result sizes;
	struct alias alias;

	if (berth__this_thread.depth == 0 && berth__simulate_alias_find(object, &alias)) {
		if (name == CL_MEM_FLAGS)
			return answer(&alias.flags, sizeof(alias.flags), size, value, size_ret);
		if (name == CL_MEM_HOST_PTR)
			return answer(&alias.host_ptr, sizeof(alias.host_ptr), size, value,
				      size_ret);
		if (name == CL_MEM_ASSOCIATED_MEMOBJECT && alias.parent)
			return answer(&alias.parent, sizeof(alias.parent), size, value, size_ret);
	}
	if (name == CL_MEM_SIZE && is_asked(object, &sizes))
		return answer_size(sizes.bytes, size, value, size_ret);
	return berth__simulate_real.clGetMemObjectInfo(object, name, size, value, size_ret);
}

cl_int CL_API_CALL berth__simulate_clGetImageInfo(cl_mem image, cl_image_info name, size_t size,
						  void *value, size_t *size_ret)
{
	struct berth_spool_result sizes;
	struct alias alias;

	if (name == CL_IMAGE_BUFFER && berth__this_thread.depth == 0 &&
	    berth__simulate_alias_find(image, &alias) && alias.parent)
		return answer(&alias.parent, sizeof(alias.parent), size, value, size_ret);
	if (name == CL_IMAGE_ROW_PITCH && is_asked(image, &sizes))
		return answer_size(sizes.row_pitch_bytes, size, value, size_ret);
	if (name == CL_IMAGE_SLICE_PITCH && is_asked(image, &sizes))
		return answer_size(sizes.slice_pitch_bytes, size, value, size_ret);
	return berth__simulate_real.clGetImageInfo(image, name, size, value, size_ret);
}

/* Of `formats` those that the profile has too, at the front. Their number. */
static cl_uint keep_common(const berth_caps *caps, cl_mem_flags flags, cl_mem_object_type type,
			   cl_image_format *formats, cl_uint count)
{
	cl_uint kept = 0;

	for (cl_uint i = 0; i < count; i++)
		if (caps->images &&
		    berth_caps_has_format(caps, type, formats[i].image_channel_order,
					  formats[i].image_channel_data_type, flags))
			formats[kept++] = formats[i];
	return kept;
}

cl_int CL_API_CALL berth__simulate_clGetSupportedImageFormats(
	cl_context context, cl_mem_flags flags, cl_mem_object_type type, cl_uint count,
	cl_image_format *formats, cl_uint *count_ret)
{
	struct simulated *simulated =
		berth__this_thread.depth == 0 ? berth__simulate_of_context_handle(context) : NULL;
	cl_image_format *all = NULL;
	cl_uint real_count = 0;
	cl_int status;

	if (!simulated || (formats && count == 0))
		return berth__simulate_real.clGetSupportedImageFormats(context, flags, type, count,
								       formats, count_ret);
	status = berth__simulate_real.clGetSupportedImageFormats(context, flags, type, 0, NULL,
								 &real_count);
	if (status == CL_SUCCESS && real_count > 0)
		all = calloc(real_count, sizeof(*all));
	if (status == CL_SUCCESS && real_count > 0)
		status = all ? berth__simulate_real.clGetSupportedImageFormats(
				       context, flags, type, real_count, all, NULL)
			     : CL_OUT_OF_HOST_MEMORY;
	if (status == CL_SUCCESS) {
		real_count = keep_common(&simulated->profile->caps, flags, type, all, real_count);
		if (formats)
			memcpy(formats, all,
			       (count < real_count ? count : real_count) * sizeof(*all));
		if (count_ret)
			*count_ret = real_count;
	}
	free(all);
	return status;
}
