/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The image types: which fields of a descriptor count for which, and what each
 * axis of an origin or region means (R54, R110).
 */
#ifndef BERTH_LIB_IMAGE_SHAPE_H
#define BERTH_LIB_IMAGE_SHAPE_H

#include <berth/caps.h>
#include <berth/op.h>

/* The axis of a region that a size of the descriptor bounds; 0: the size is not used. */
struct berth__image_shape {
	uint32_t type; /* cl_mem_object_type */
	const char *name;
	uint8_t height_axis;
	uint8_t depth_axis;
	uint8_t array_axis;
	uint8_t axes;		 /* used axes of an origin or region */
	bool has_slices;	 /* slice_pitch counts */
	size_t max_width_offset; /* the limits, as offsets of uint64_t in berth_caps */
	size_t max_height_offset;
};

/* NULL when type is not an image type. */
const struct berth__image_shape *berth__image_shape_find(uint32_t type);

/* The device's limit along an axis that the type uses (R54). */
uint64_t berth__image_limit(const struct berth__image_shape *shape, const berth_caps *caps,
			    unsigned axis);

/* Pixels, rows and slices along each axis of a region; 1 on the axes not used. */
void berth__image_extent(uint64_t out[3], const berth_image *image);

/*
 * The pitches that hold (R56, R61, R90, R91): as asked, else computed.
 * False when they do not fit 64 bits.
 */
bool berth__image_pitches(uint64_t *row_pitch, uint64_t *slice_pitch, const berth_image *image,
			  uint32_t element_bytes);

/* Bytes that all rows and slices take, each with its full pitch; false: does not fit. */
bool berth__image_bytes(uint64_t *out, const berth_image *image, uint64_t row_pitch,
			uint64_t slice_pitch);

#endif
