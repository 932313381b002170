/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Layouts: how a tensor lies in device memory, and how many bytes it takes there.
 *
 * A layout is a shape, an element type, lanes and a memory scope: linear, or one
 * of the texture scopes, which flatten the shape to width x height of texels. The
 * last axis of a texture's shape are the channels of one texel; the axes before it
 * are split at the scope's separator: those in front multiply to the height, the
 * rest to the width. An empty side counts 1.
 *
 * berth_layout_compute() is the one place that knows what a layout takes *on a
 * given device*: rows padded to the device's pitch alignment, in the unit that the
 * device counts it in (berth_caps_pitch_align_bytes()). It describes an image on a
 * buffer, so that one storage can be seen as a texture and as a buffer. Who can
 * place images in another way (on host memory, or with memory of their own) passes
 * capabilities that say so: image2d_from_buffer set, and the alignments that hold
 * there, 1 pixel for rows without padding.
 *
 * All functions are thread safe: they only read what they are given.
 */
#ifndef BERTH_LAYOUT_H
#define BERTH_LAYOUT_H

#include <berth/caps.h>

BERTH_BEGIN_DECLS

/** More axes than any runtime gives to a tensor in device memory. */
#define BERTH_LAYOUT_AXES_MAX 8

/** OpenCL's widest vector. */
#define BERTH_LAYOUT_LANES_MAX 16

/** X(name, value, string, the smallest number of axes). Values are pinned. */
#define BERTH_SCOPE_MAP(X)                                                     \
	X(BERTH_SCOPE_LINEAR, 0, "linear", 0)                                  \
	X(BERTH_SCOPE_TEXTURE, 1, "texture", 2)                                \
	X(BERTH_SCOPE_TEXTURE_WEIGHT, 2, "texture-weight", 2)                  \
	X(BERTH_SCOPE_TEXTURE_NHWC, 3, "texture-nhwc", 3)

/**
 * Where a layout lives. With r axes the separator of `texture` is r - 2 (the width
 * is the last axis before the channels), of `texture-weight` 1 (the height is the
 * first axis), of `texture-nhwc` 2.
 */
typedef enum berth_scope {
#define X(name, value, string, axes) name = value,
	BERTH_SCOPE_MAP(X)
#undef X
	BERTH_SCOPE_END,
} berth_scope;

/** The bit of a scope in a set of scopes. */
#define BERTH_SCOPE_BIT(scope) (1u << (scope))

/** X(name, value, string, bytes). Values are pinned. */
#define BERTH_ELEMENT_MAP(X)                                                   \
	X(BERTH_ELEMENT_INT8, 0, "int8", 1)                                    \
	X(BERTH_ELEMENT_UINT8, 1, "uint8", 1)                                  \
	X(BERTH_ELEMENT_INT16, 2, "int16", 2)                                  \
	X(BERTH_ELEMENT_UINT16, 3, "uint16", 2)                                \
	X(BERTH_ELEMENT_INT32, 4, "int32", 4)                                  \
	X(BERTH_ELEMENT_UINT32, 5, "uint32", 4)                                \
	X(BERTH_ELEMENT_INT64, 6, "int64", 8)                                  \
	X(BERTH_ELEMENT_UINT64, 7, "uint64", 8)                                \
	X(BERTH_ELEMENT_FLOAT16, 8, "float16", 2)                              \
	X(BERTH_ELEMENT_FLOAT32, 9, "float32", 4)                              \
	X(BERTH_ELEMENT_FLOAT64, 10, "float64", 8)                             \
	X(BERTH_ELEMENT_BFLOAT16, 11, "bfloat16", 2)

/** The type of one element; bfloat16 is moved as raw 16 bits. */
typedef enum berth_element {
#define X(name, value, string, bytes) name = value,
	BERTH_ELEMENT_MAP(X)
#undef X
	BERTH_ELEMENT_END,
} berth_element;

typedef struct berth_layout {
	berth_scope scope;
	berth_element element;
	uint32_t lanes; /**< elements of one entry of the shape, 1..16; 3 are three, not four */
	uint32_t axis_count; /**< 0..8; 0 is a scalar */
	uint64_t shape[BERTH_LAYOUT_AXES_MAX]; /**< each used axis > 0; outermost first */
} berth_layout;

/** What a layout comes to on a device. */
typedef struct berth_geometry {
	berth_scope scope;	  /**< the layout's */
	uint64_t width;		  /**< texels of a row; linear: entries of the shape */
	uint64_t height;	  /**< rows; linear: 1 */
	uint32_t element_bytes;	  /**< bytes of a texel; linear: of an entry, all lanes */
	uint64_t row_pitch_bytes; /**< from row to row; linear: bytes */
	uint64_t bytes;		  /**< what the storage must have: row pitch x height */
	uint64_t packed_bytes;	  /**< without padding: width x height x element_bytes */
	uint64_t align_bytes;	  /**< the offset in device memory is a multiple of this */
	uint32_t order;		  /**< cl_channel_order; linear: 0 */
	uint32_t type;		  /**< cl_channel_type; linear: 0 */
} berth_geometry;

/**
 * What @p layout takes on a device with @p caps.
 *
 * The image format of a texture: a texel of 1, 2 or 4 elements (channels x lanes)
 * is CL_R, CL_RG or CL_RGBA of the element's own channel type. Any other texel of
 * 4, 8 or 16 bytes is raw: CL_RGBA of unsigned integers of a quarter of it, which
 * kernels reinterpret (as_half8() and the like); so are the 64-bit types, which
 * have no channel type. bfloat16 is CL_UNSIGNED_INT16.
 *
 * @param[out] out  written on success only
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL        not a scope or an element type, too many axes or
 *                              lanes or none, an axis of 0, or too few axes for
 *                              the scope; the detail names it
 * @retval BERTH_E_OVERFLOW     a size does not fit 64 bits
 * @retval BERTH_E_LIMIT        over image2d_max_width, image2d_max_height or
 *                              max_alloc_bytes; the detail has both numbers
 * @retval BERTH_E_UNSUPPORTED  a texture, and the device has no images, makes none
 *                              on buffers (a pitch alignment of 0), or lacks the
 *                              format for CL_MEM_READ_WRITE; or no format has
 *                              such texels
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_layout_compute(berth_geometry *out,
							     const berth_caps *caps,
							     const berth_layout *layout);

/**
 * Which scopes a shape fits in on a device: those for which berth_layout_compute()
 * succeeds. The scope of @p layout does not count.
 * @return a set of BERTH_SCOPE_BIT()s; 0 when not even linear fits. Sets no detail.
 */
BERTH_API uint32_t berth_layout_scopes(const berth_caps *caps, const berth_layout *layout);

/**
 * How to choose among the texture scopes that fit. Both rules keep a tensor in an image
 * whenever any scope fits the device's *own* limits (a side may equal its limit, where
 * TVM's stop at one less than 16384); they differ in which.
 */
typedef enum berth_choice {
	/**
	 * The fewest rows, so the least padding; of equals weight, then nhwc, then
	 * texture. With four axes or more it is the first of these that fits, as TVM
	 * chooses since 2026 (there also among images of depth, which cannot lie on a
	 * buffer).
	 */
	BERTH_CHOOSE_WIDEST = 0,
	/**
	 * The least |width - height|; of equals weight, then nhwc, then texture. It
	 * stays far from a device's limits, at the price of padding. TVM's rule before.
	 */
	BERTH_CHOOSE_SQUAREST = 1,
} berth_choice;

/**
 * Choose the scope of a shape: a texture scope that fits, by @p choice, else linear.
 *
 * @param[out] out  the geometry in the chosen scope (out->scope); written on
 *                  success only
 * @param layout    its scope does not count
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL, BERTH_E_OVERFLOW, BERTH_E_LIMIT  not even linear fits: as
 *                  berth_layout_compute(); or @p choice is not defined
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_layout_choose(berth_geometry *out,
							    const berth_caps *caps,
							    const berth_layout *layout,
							    berth_choice choice);

/** @return "texture-nhwc" and the like; a static string, "unknown" otherwise. */
BERTH_API const char *berth_scope_string(berth_scope scope);

/** @return "float16" and the like; a static string, "unknown" otherwise. */
BERTH_API const char *berth_element_string(berth_element element);

/** @return the bytes of one element; 0 when it is not one. */
BERTH_API uint32_t berth_element_bytes(berth_element element);

/**
 * The inverse of the strings above.
 * @retval BERTH_OK
 * @retval BERTH_E_NOT_FOUND  not such a name
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_scope_parse(berth_scope *out, const char *name);
BERTH_API BERTH_MUST_CHECK berth_status berth_element_parse(berth_element *out, const char *name);

BERTH_END_DECLS

#endif
