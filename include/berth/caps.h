/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Capabilities: what a device says about its memory objects.
 *
 * One plain struct, whether it comes from a driver's queries, from a profile of
 * a simulated device or from a trace. The units are OpenCL's own, and the names
 * say them: CL_DEVICE_MEM_BASE_ADDR_ALIGN is in *bits*,
 * CL_DEVICE_IMAGE_PITCH_ALIGNMENT and CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT
 * in *pixels* (some drivers mean bytes: berth_caps.pitch_unit).
 */
#ifndef BERTH_CAPS_H
#define BERTH_CAPS_H

#include <berth/status.h>

BERTH_BEGIN_DECLS

/** In what unit a device counts image_pitch_align and image_base_align. */
typedef enum berth_pitch_unit {
	BERTH_PITCH_UNIT_PIXELS = 0, /**< as the specification says */
	BERTH_PITCH_UNIT_BYTES = 1,  /**< as some drivers and runtimes take it */
} berth_pitch_unit;

/** Kernel access to an image format, bits of berth_format.access. */
enum {
	BERTH_FORMAT_READ = 1u << 0,	   /**< CL_MEM_READ_ONLY images */
	BERTH_FORMAT_WRITE = 1u << 1,	   /**< CL_MEM_WRITE_ONLY images */
	BERTH_FORMAT_READ_WRITE = 1u << 2, /**< CL_MEM_READ_WRITE images */
};

/** Image types as berth_format.access counts them: those of 2D images are the lowest bits. */
typedef enum berth_format_image {
	BERTH_FORMAT_2D = 0,
	BERTH_FORMAT_1D = 1,
	BERTH_FORMAT_1D_BUFFER = 2,
	BERTH_FORMAT_1D_ARRAY = 3,
	BERTH_FORMAT_2D_ARRAY = 4,
	BERTH_FORMAT_3D = 5,
	BERTH_FORMAT_IMAGE_END,
} berth_format_image;

/** The bits of berth_format.access for an access to images of a type. */
#define BERTH_FORMAT_BITS(image, access) ((uint32_t)(access) << 4 * (image))

/** One supported image format: a cl_image_format and how it may be used. */
typedef struct berth_format {
	uint32_t order;	 /**< cl_channel_order, as CL_RGBA */
	uint32_t type;	 /**< cl_channel_type, as CL_UNORM_INT8 */
	uint32_t access; /**< BERTH_FORMAT_BITS() of one or more types of images */
} berth_format;

/** More than any driver has been seen to report. */
#define BERTH_FORMATS_MAX 128

typedef struct berth_caps {
	char name[128];		  /**< CL_DEVICE_NAME */
	char vendor[128];	  /**< CL_DEVICE_VENDOR */
	char platform[128];	  /**< CL_PLATFORM_NAME; empty when simulated */
	char device_version[256]; /**< CL_DEVICE_VERSION */
	char driver_version[128]; /**< CL_DRIVER_VERSION */
	uint32_t cl_version;	  /**< major * 100 + minor * 10: 120, 200, 300 */

	uint64_t global_mem_bytes;	/**< CL_DEVICE_GLOBAL_MEM_SIZE */
	uint64_t max_alloc_bytes;	/**< CL_DEVICE_MAX_MEM_ALLOC_SIZE */
	uint64_t local_mem_bytes;	/**< CL_DEVICE_LOCAL_MEM_SIZE */
	uint32_t base_addr_align_bits;	/**< CL_DEVICE_MEM_BASE_ADDR_ALIGN; a multiple of 8 */
	uint32_t cacheline_bytes;	/**< CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE; 0 unknown */
	bool host_unified;		/**< CL_DEVICE_HOST_UNIFIED_MEMORY */
	uint64_t svm_caps;		/**< CL_DEVICE_SVM_CAPABILITIES */
	uint32_t pipe_max_packet_bytes; /**< CL_DEVICE_PIPE_MAX_PACKET_SIZE; 0: no pipes */

	bool images;			/**< CL_DEVICE_IMAGE_SUPPORT */
	uint64_t image2d_max_width;	/**< pixels */
	uint64_t image2d_max_height;	/**< pixels */
	uint64_t image3d_max_width;	/**< pixels */
	uint64_t image3d_max_height;	/**< pixels */
	uint64_t image3d_max_depth;	/**< pixels */
	uint64_t image_max_buffer_px;	/**< CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, pixels */
	uint64_t image_max_array;	/**< CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, images */

	bool image2d_from_buffer;	/**< 2D images on buffers can be made */
	uint32_t image_pitch_align;	/**< in pitch_unit; 0: no images on buffers */
	uint32_t image_base_align;	/**< in pitch_unit; 0: no images on buffers */
	berth_pitch_unit pitch_unit;

	/**
	 * 0 with images: not known. Where a type of images but 2D has no format with one of
	 * its bits, those of that type are not known.
	 */
	uint32_t format_count;
	berth_format formats[BERTH_FORMATS_MAX];
} berth_caps;

/**
 * The least that the specification allows a full-profile device of a version,
 * with images, images on buffers (alignment 1 pixel) and the formats that every
 * device must have ("Minimum List of Supported Image Formats").
 * The specification sets no minimum for the global memory: 128 MiB is used, so
 * that the version's own floor of the maximum allocation (32 MiB in 3.0, 128 MiB
 * before) can hold.
 *
 * @param[out] out    written always
 * @param cl_version  100..310; other values count as 300
 * Thread safe.
 */
BERTH_API void berth_caps_init_minimum(berth_caps *out, uint32_t cl_version);

/**
 * Check that capabilities make sense together (an alignment is a power of two,
 * a size is not zero, the strings end, formats are defined pairs).
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL  the detail names the field and what is allowed
 * Thread safe.
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_caps_validate(const berth_caps *caps);

/** @return the base address alignment in bytes, at least 1. Thread safe. */
BERTH_API uint32_t berth_caps_base_align_bytes(const berth_caps *caps);

/**
 * The row pitch alignment of an image on a buffer, in bytes: the one place that
 * knows the unit. 0 when the device makes no images on buffers.
 * @param element_bytes  bytes of one pixel, > 0
 * Thread safe.
 */
BERTH_API uint64_t berth_caps_pitch_align_bytes(const berth_caps *caps, uint32_t element_bytes);

/**
 * As berth_caps_pitch_align_bytes(), for the base address of an image on a buffer.
 * Thread safe.
 */
BERTH_API uint64_t berth_caps_image_base_align_bytes(const berth_caps *caps,
						     uint32_t element_bytes);

/**
 * Bytes of one pixel of a format.
 * @return 0 when (order, type) is not a pair that the specification defines
 * (section "Image Format Descriptor"). Thread safe.
 */
BERTH_API uint32_t berth_format_element_bytes(uint32_t order, uint32_t type);

/**
 * @param image_type  cl_mem_object_type
 * @return whether an image of this type and format can be made for the kernel access in
 * @p mem_flags (cl_mem_flags; no access bit counts as read-write). True for any
 * defined pair when the formats of that type are not known: that is not a refusal.
 * Thread safe.
 */
BERTH_API bool berth_caps_has_format(const berth_caps *caps, uint32_t image_type, uint32_t order,
				     uint32_t type, uint64_t mem_flags);

/** @return BERTH_FORMAT_IMAGE_END when @p image_type is no type of images. Thread safe. */
BERTH_API berth_format_image berth_format_image_of(uint32_t image_type);

/** @return "CL_RGBA" and the like; a static string, "CL_UNKNOWN_ORDER" otherwise. Thread safe. */
BERTH_API const char *berth_channel_order_string(uint32_t order);

/** @return "CL_UNORM_INT8" and the like; a static string, "CL_UNKNOWN_TYPE" otherwise. Thread safe. */
BERTH_API const char *berth_channel_type_string(uint32_t type);

/**
 * The inverse of the two above; the "CL_" may be left out.
 * @retval BERTH_OK
 * @retval BERTH_E_NOT_FOUND  not such a name
 * Thread safe.
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_channel_order_parse(uint32_t *out, const char *name);
BERTH_API BERTH_MUST_CHECK berth_status berth_channel_type_parse(uint32_t *out, const char *name);

BERTH_END_DECLS

#endif
