/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The simulator: a device made of rules and a memory model.
 *
 * A profile is what Berth knows of a device: capabilities, memory model, transfer
 * model, and where the device departs from the specification (deviations, order of
 * checks, behaviour). It is read from an ini file (doc/profile-format.md) or one of
 * those built in. The simulator answers each op by the rules table at the profile's
 * limits (see rules.h), as the deviations change it (deviation.h), then by the memory
 * model: granularity, overhead per object, image padding, capacity, and when memory
 * is committed.
 *
 * What a deviation accepts stays sane: an accepted write outside of an object
 * touches no byte outside, and leaves the bytes inside unknown; accepted overlapping
 * copies leave their destination unknown; an object larger than the capacity fails
 * when its memory is taken. A device that crashes answers BERTH_E_LOST to the op and
 * to all ops after it.
 *
 * With bytes, it keeps the content of every object, and knows which of it is
 * unknown (never written, or written by a kernel). Without ("ghost"), it keeps
 * sizes only: for traces larger than the machine.
 *
 * Host pointers: an op may come without its bytes (host NULL, host_address not 0);
 * what it writes is then unknown, what it reads goes nowhere. The application's
 * memory of CL_MEM_USE_HOST_PTR is itself the object's store: the device's writes
 * are there at once, and mappings lie at host_ptr + offset. A mapping made with
 * CL_MAP_WRITE_INVALIDATE_REGION has unknown content; unmapping one that was made
 * for writing makes its region known, unless the unmap says that the bytes are not
 * available.
 *
 * Threads: calls on one device are serialised by the caller (device.h); profiles are
 * read by any thread.
 *
 * Out of memory is the answer of rule R30 (buffers), R53 (images) or R5 (first
 * use), none of which is a row of the rules table; the error detail says what was
 * requested, what is in use, and the capacity.
 */
#ifndef BERTH_SIM_H
#define BERTH_SIM_H

#include <berth/deviation.h>
#include <berth/device.h>
#include <berth/transfer.h>

BERTH_BEGIN_DECLS

/** When memory is taken, and so when an op can run out of it (R5). */
typedef enum berth_commit {
	BERTH_COMMIT_CREATE = 0,    /**< at creation */
	BERTH_COMMIT_FIRST_USE = 1, /**< at the first command that touches the object */
	BERTH_COMMIT_MIGRATE = 2,   /**< at the first migrate or kernel; transfers before are staged */
	BERTH_COMMIT_NDRANGE = 3,   /**< at the first kernel */
} berth_commit;

/** When the memory of a released object can be had again. */
typedef enum berth_free_time {
	BERTH_FREE_RELEASE = 0, /**< at once */
	BERTH_FREE_FINISH = 1,	/**< at the next sync */
	BERTH_FREE_CONTEXT = 2, /**< when the context ends: with the device */
	BERTH_FREE_PROCESS = 3, /**< never: as CONTEXT, since a device is one program */
} berth_free_time;

/** Whether a sub-buffer, or an image on a buffer, keeps the buffer's memory (R132). */
typedef enum berth_retain_parent {
	BERTH_RETAIN_PARENT_YES = 0, /**< as the specification says */
	/**
	 * The buffer's own release gives the memory back; what lies on it lives on
	 * without, and its content is unknown from then on.
	 */
	BERTH_RETAIN_PARENT_NO = 1,
	BERTH_RETAIN_PARENT_LEAK = 2, /**< a buffer that ever had one on it is never given back */
} berth_retain_parent;

/** Which sizes of buffers are refused (R25). */
typedef enum berth_max_alloc_rule {
	BERTH_MAX_ALLOC_STRICT = 0, /**< those over the limit */
	BERTH_MAX_ALLOC_NONE = 1,   /**< none: they fail where their memory is taken */
	/** Those over the limit without CL_MEM_ALLOW_UNRESTRICTED_SIZE_INTEL (1 << 23). */
	BERTH_MAX_ALLOC_FLAG = 2,
} berth_max_alloc_rule;

/** The row pitch of a 2D image on a buffer that gives none: width x element size, and (R59) */
typedef enum berth_pitch0_rule {
	BERTH_PITCH0_ERROR = 0,	   /**< that must be aligned, before OpenCL 3.1 */
	BERTH_PITCH0_TIGHT = 1,	   /**< aligned or not */
	BERTH_PITCH0_ROUND_UP = 2, /**< it is rounded up to the pitch alignment */
} berth_pitch0_rule;

/** What must fit the buffer below a 2D image (R71). */
typedef enum berth_from_buffer_size {
	BERTH_FROM_BUFFER_PADDED = 0, /**< row pitch x height */
	BERTH_FROM_BUFFER_TIGHT = 1,  /**< width x element size x height, whatever the pitch */
} berth_from_buffer_size;

/** In what unit the pitch and base alignments are enforced, whatever is reported. */
typedef enum berth_enforced_unit {
	BERTH_ENFORCED_AS_REPORTED = 0, /**< berth_caps.pitch_unit */
	BERTH_ENFORCED_PIXELS = 1,
	BERTH_ENFORCED_BYTES = 2,
} berth_enforced_unit;

/** CL_IMAGE_SLICE_PITCH of 1D and 2D images (R91). */
typedef enum berth_slice_pitch_rule {
	BERTH_SLICE_PITCH_ZERO = 0, /**< as the specification says */
	BERTH_SLICE_PITCH_ROWS = 1, /**< row pitch x height */
} berth_slice_pitch_rule;

/**
 * What a device does apart from what it reports. Zeroed: the specification at the
 * reported limits.
 */
typedef struct berth_behaviour {
	/** Enforced instead of base_addr_align_bits (R38, R63, R128); a power of two; 0: that. */
	uint32_t subbuffer_align_enforced_bytes;
	berth_max_alloc_rule max_alloc_enforced;
	/** The limit that is enforced, instead of max_alloc_bytes; 0: that. */
	uint64_t max_alloc_enforced_bytes;
	berth_pitch0_rule from_buffer_pitch0;
	berth_from_buffer_size from_buffer_size;
	berth_enforced_unit pitch_unit_enforced;
	/** The row pitch that a map answers is rounded up to it; a power of two; 0: the image's own. */
	uint32_t map_pitch_align_bytes;
	berth_slice_pitch_rule slice_pitch_2d;
	berth_free_time free_time;
	berth_retain_parent retain_parent;
	/**
	 * An object on memory of the host (CL_MEM_USE_HOST_PTR) takes twice its bytes when
	 * its pointer or its size is no multiple of these (powers of two; 0: any does).
	 */
	uint32_t zero_copy_ptr_align_bytes;
	uint32_t zero_copy_size_align_bytes;
} berth_behaviour;

typedef struct berth_memory_model {
	uint64_t capacity_bytes;	/**< what all objects together may take; > 0 */
	uint64_t granularity_bytes;	/**< each object's bytes are rounded up to it; >= 1 */
	/**
	 * Objects of at most so many bytes share granules: they are not rounded up
	 * one by one, only their sum is. 0: none do.
	 */
	uint64_t shared_up_to_bytes;
	uint64_t object_overhead_bytes; /**< added to each object that owns memory */
	uint32_t image_row_align_bytes; /**< rows of images with own memory; >= 1 */
	berth_commit commit;
	int32_t out_of_memory_code;	/**< as CL_MEM_OBJECT_ALLOCATION_FAILURE */
	uint32_t image_row_min_bytes;	/**< such a row takes at least so many; 0: no such rule */
	uint32_t image_rows_align;	/**< their number is rounded up to it, in each slice; 0: as 1 */
} berth_memory_model;

/**
 * A profile: a plain value that owns nothing; of several KiB, so rather not on small stacks.
 */
typedef struct berth_profile {
	char name[64];
	char source[256]; /**< where the values come from, one line */
	berth_caps caps;
	berth_memory_model memory;
	berth_behaviour behaviour;
	berth_transfer_times transfer;
	berth_deviations deviations;
} berth_profile;

/** @return the number of built-in profiles. */
BERTH_API size_t berth_profile_builtin_count(void);

/** @return name of a built-in profile, as "adreno-650"; NULL past the end. Static. */
BERTH_API const char *berth_profile_builtin_name(size_t index);

/** @return the ini text of a built-in profile, or NULL. Static. */
BERTH_API const char *berth_profile_builtin_text(const char *name);

/**
 * Load a profile.
 * @param[out] out      written only on BERTH_OK
 * @param name_or_path  a built-in name, or the path of an ini file (anything that
 *                      contains '/' or ends in ".ini" is a path), or "clinfo:" and what
 *                      berth_profile_from_clinfo_name() takes
 * @retval BERTH_OK
 * @retval BERTH_E_NOT_FOUND  no such profile, or device of a dump
 * @retval BERTH_E_IO         the file cannot be read
 * @retval BERTH_E_FORMAT     the detail names file, key and what is allowed, and the
 *                            line where one is to blame
 * @retval BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_profile_load(berth_profile *out,
							   const char *name_or_path);

/**
 * A profile as ini text, which berth_profile_load() reads back to the same values; texts
 * that are empty become their defaults.
 * @param[out] out  owned by the caller; free()
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL  a value that no line of a profile gives, as a size of 0; the
 *                        detail names it
 * @retval BERTH_E_NOMEM
 * Thread safe.
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_profile_to_text(char **out,
							      const berth_profile *profile);

/**
 * Change single values of a profile: what if this device had less, or another alignment?
 * @param settings  "KEY=VALUE", several with a comma between them; the keys and values of
 *                  doc/profile-format.md, but for [formats], [deviations] and [order]; a key
 *                  that two sections have as SECTION.KEY
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL  the detail names the key and what is allowed; the profile is unchanged
 * @retval BERTH_E_NOMEM
 * Thread safe.
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_profile_override(berth_profile *profile,
							       const char *settings);

/** Options of berth_sim_create(). Start from BERTH_SIM_OPTIONS_INIT. */
typedef struct berth_sim_options {
	uint32_t size; /**< sizeof(berth_sim_options) */
	bool ghost;    /**< keep no content */
	uint64_t capacity_bytes; /**< instead of the profile's; 0: the profile's */
} berth_sim_options;

#define BERTH_SIM_OPTIONS_INIT { sizeof(berth_sim_options), false, 0 }

/**
 * Make a simulated device, named "sim:" and the profile's name.
 * @param profile  copied
 * @param options  NULL: the defaults
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL  the profile's capabilities or model make no sense, or
 *                        options->size is another
 * @retval BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_sim_create(berth_device **out,
							 const berth_profile *profile,
							 const berth_sim_options *options);

/**
 * The time that an op would take on a profile's device, by its transfer model. Of an
 * unmap, op->bytes are what goes back to the device.
 * @param element_bytes  bytes of a pixel of `object` (image forms); else not used
 * @param pinned  whether the host memory of a write or read is pinned (transfer.h)
 * @retval BERTH_OK           0 for ops that move nothing
 * @retval BERTH_E_NOT_FOUND  the profile has no model for it; nothing is guessed
 * @retval BERTH_E_OVERFLOW   the op's bytes do not fit 64 bits
 * Thread safe.
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_sim_estimate_ns(uint64_t *out,
							      const berth_profile *profile,
							      const berth_op *op,
							      uint32_t element_bytes, bool pinned);

/**
 * A profile that is the specification at a device's limits: the reference to
 * check a real driver against. Capacity: unlimited (the driver's own out of
 * memory is its right, R5), granularity 1, commit at creation.
 */
BERTH_API void berth_profile_init_reference(berth_profile *out, const berth_caps *caps);

BERTH_END_DECLS

#endif
