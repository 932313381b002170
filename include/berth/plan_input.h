/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * What the planner is fed with, from files: a trace, a CSV table, or allocation lists.
 *
 * - A *trace* (trace.h): one request for each object that owns memory, alive from its creation
 *   to the op that ended it, in numbers of ops; or from its first to its last use. With more
 *   queues than one, at least until the host has waited (clFinish, a blocking transfer) for
 *   each queue that used it: queues are taken to be in order, each for itself. Sub-buffers
 *   and images on buffers lie in their buffer and count with it. What cannot be a range of
 *   a larger buffer stays *apart*, and is counted: berth_plan_apart.
 * - A *table*: CSV with a header line that names the columns id, lower, upper (the lifetime is
 *   half-open, [lower, upper), unless the options say otherwise) and size or layout, and, where wanted, alignment and offset
 *   (where the request must be; empty: anywhere), in any order. Columns of other names are
 *   left alone. A layout is "SCOPE ELEMENT SHAPE" with the names of layout.h, as
 *   "texture-nhwc float16 1x28x112x112x4"; its size depends on the device. The scope "choose"
 *   is the texture scope of the fewest rows that fits there, or linear when none does.
 * - *Allocation lists*, as Glow's memory tests have them: lines MODEL name, ALIGN bytes, ALLOC
 *   id bytes, FREE id, MEM bytes (the expected total), EFF ratio (not read); '#' begins a
 *   comment. Each model is planned on its own. A buffer is alive from its ALLOC to its FREE.
 *
 * Files are not trusted: each error names the file's line (of a trace, the op) and what is
 * allowed there. Memory grows with the number of requests, not with the length of a trace.
 *
 * All functions are thread safe.
 */
#ifndef BERTH_PLAN_INPUT_H
#define BERTH_PLAN_INPUT_H

#include <berth/plan.h>
#include <berth/trace.h>

BERTH_BEGIN_DECLS

/** X(name, value, text). */
#define BERTH_PLAN_APART_MAP(X)                                                                    \
	X(BERTH_PLAN_APART_HOST, 0, "on the host's memory (CL_MEM_USE_HOST_PTR)")                  \
	X(BERTH_PLAN_APART_TYPE, 1, "images that are not plain 2D")                                \
	X(BERTH_PLAN_APART_DEVICE, 2, "images, and the device makes none on buffers")              \
	X(BERTH_PLAN_APART_FORMAT, 3, "images of a format that the device does not have")          \
	X(BERTH_PLAN_APART_LIMIT, 4, "larger than the device allows")

/** Why an object of a trace cannot be a range of a larger buffer. */
typedef enum berth_plan_apart {
#define X(name, value, text) name = value,
	BERTH_PLAN_APART_MAP(X)
#undef X
} berth_plan_apart;

/** One more than the largest berth_plan_apart. */
#define BERTH_PLAN_APART_END 5

/** @return "images that are not plain 2D" and the like; static, "unknown" otherwise. */
BERTH_API const char *berth_plan_apart_string(berth_plan_apart apart);

/** What a request is, for people and pictures. */
typedef enum berth_plan_item_kind {
	BERTH_PLAN_ITEM_BUFFER = 0,
	BERTH_PLAN_ITEM_IMAGE = 1,
	BERTH_PLAN_ITEM_BOTH = 2, /**< a buffer that images lay on */
} berth_plan_item_kind;

/** Where a request comes from. */
typedef struct berth_plan_item {
	const char *name;    /**< its id in the file; of a trace, the object's */
	uint64_t object;     /**< of a trace: the object's id; else 0 */
	uint64_t place;	     /**< line of the file, from 1; of a trace: seq of its creation */
	uint64_t held_bytes; /**< of a trace: what it took on the recorded device; else 0 */
	berth_plan_item_kind kind;
} berth_plan_item;

/** The group of requests for memory that the host can reach (CL_MEM_ALLOC_HOST_PTR). */
#define BERTH_PLAN_GROUP_HOST 1u

/** One problem of a source. A caller may change the input's limits before planning. */
typedef struct berth_plan_model {
	const char *name;	 /**< of an allocation list's model; else "" */
	berth_plan_input input;	 /**< its requests belong to the source */
	berth_plan_item *items;	 /**< one a request */
	uint64_t expected_bytes; /**< of an allocation list: its MEM line; 0: none */
} berth_plan_model;

typedef enum berth_plan_source_kind {
	BERTH_PLAN_SOURCE_TRACE = 0,
	BERTH_PLAN_SOURCE_TABLE = 1,
	BERTH_PLAN_SOURCE_LISTS = 2,
} berth_plan_source_kind;

/** Problems from a file. Owned by the caller of berth_plan_source_load(). */
typedef struct berth_plan_source {
	berth_plan_source_kind kind;
	size_t model_count; /**< at least 1; 1 but for allocation lists */
	berth_plan_model *models;

	/** The rest is of a trace: what its program did. */
	uint64_t held_bytes;  /**< most that its objects took at one moment, as recorded */
	uint64_t lengthened;  /**< lifetimes that wait for another queue, see above */
	uint64_t unused;      /**< by use: objects left out because nothing used them */
	uint64_t apart_bytes; /**< most that objects apart took at one moment */
	uint64_t apart_count[BERTH_PLAN_APART_END];
	bool recorded_sizes;	    /**< no capabilities were given: sizes are those recorded */
	bool recorded_images_apart; /**< so, and the recorded device makes no images on buffers */
} berth_plan_source;

/** Options of berth_plan_source_load(). Start from BERTH_PLAN_SOURCE_OPTIONS_INIT. */
typedef struct berth_plan_source_options {
	uint32_t size; /**< sizeof(berth_plan_source_options) */
	/**
	 * The device that is planned for: its alignments and its largest allocation hold, and
	 * images and layouts take what they take there. NULL: alignments and sizes of a trace
	 * are those of the recorded device; its images are planned as if they could lie on
	 * buffers. Borrowed for the call.
	 */
	const berth_caps *caps;
	/** Traces: alive from the first to the last op that uses the object's bytes. */
	bool by_use;
	/** Tables: alive in [lower, upper], as compilers write it, not in [lower, upper). */
	bool inclusive;
	/** Traces: CL_MEM_ALLOC_HOST_PTR stays apart as well, and is no group of its own. */
	bool host_memory_apart;
} berth_plan_source_options;

#define BERTH_PLAN_SOURCE_OPTIONS_INIT                                                             \
	{                                                                                          \
		sizeof(berth_plan_source_options), NULL, false, false, false                       \
	}

/**
 * Load what is to be planned; which kind of file it is shows in its content.
 *
 * @param[out] out  owned by the caller (berth_plan_source_destroy()); on success only
 * @param options   NULL for the defaults
 * @retval BERTH_OK
 * @retval BERTH_E_IO           cannot be opened or read
 * @retval BERTH_E_FORMAT       none of the kinds, or damaged: a column or a number is missing or
 *                              not valid, an id comes twice, a lifetime does not end after its
 *                              begin, a buffer is freed without being allocated or is never
 *                              freed. The detail names the line
 * @retval BERTH_E_VERSION      a trace of a newer version
 * @retval BERTH_E_UNSUPPORTED  a layout, and no capabilities were given; by_use, and the file
 *                              is not a trace; inclusive, and it is not a table
 * @retval BERTH_E_INVAL, BERTH_E_LIMIT  a layout that is none, or too large for the device
 * @retval BERTH_E_OVERFLOW, BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_plan_source_load(
	berth_plan_source **out, const char *path, const berth_plan_source_options *options);

/** As berth_plan_source_load(), of an open trace, which is read from its first op to its last. */
BERTH_API BERTH_MUST_CHECK berth_status berth_plan_source_from_trace(
	berth_plan_source **out, berth_trace *trace, const berth_plan_source_options *options);

/** Free a source; NULL is fine. */
BERTH_API void berth_plan_source_destroy(berth_plan_source *source);

BERTH_END_DECLS

#endif
