/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The simulator: a device made of rules and a memory model.
 *
 * A profile is capabilities and a memory model, read from an ini file
 * (doc/profile-format.md) or one of those built in. The simulator answers each
 * op by the rules table at the profile's limits (see rules.h), then by the memory model:
 * granularity, overhead per object, image padding, capacity, and whether memory
 * is committed at creation or at first use.
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

#include <berth/device.h>

BERTH_BEGIN_DECLS

/** When memory is taken, and so when an op can run out of it (R5). */
typedef enum berth_commit {
	BERTH_COMMIT_CREATE = 0,    /**< at creation */
	BERTH_COMMIT_FIRST_USE = 1, /**< at the first command that touches the object */
} berth_commit;

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
} berth_memory_model;

typedef struct berth_profile {
	char name[64];
	char source[256]; /**< where the values come from, one line */
	berth_caps caps;
	berth_memory_model memory;
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
 *                      contains '/' or ends in ".ini" is a path)
 * @retval BERTH_OK
 * @retval BERTH_E_NOT_FOUND  the detail lists the built-in names
 * @retval BERTH_E_IO         the file cannot be read
 * @retval BERTH_E_FORMAT     the detail names file, key and what is allowed, and the
 *                            line where one is to blame
 * @retval BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_profile_load(berth_profile *out,
							   const char *name_or_path);

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
 * A profile that is the specification at a device's limits: the reference to
 * check a real driver against. Capacity: unlimited (the driver's own out of
 * memory is its right, R5), granularity 1, commit at creation.
 */
BERTH_API void berth_profile_init_reference(berth_profile *out, const berth_caps *caps);

BERTH_END_DECLS

#endif
