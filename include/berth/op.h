/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Memory operations ("ops"): everything that happens to device memory.
 *
 * A berth_op is a plain struct. It names objects by 64-bit ids *chosen by the
 * caller*, who never uses an id twice: drivers reuse their handles within
 * microseconds, ids are never reused. It can describe a call with broken
 * arguments as well (a NULL pointer, a handle that is none), because traces hold
 * such calls and rules are about them.
 *
 * Executing an op on a device gives a berth_result.
 *
 * The functions of this header keep no state: thread safe.
 *
 * Sides: `object`, `offset_bytes`, `region.origin` and the first pitches belong
 * to the object of the op; `other`, `other_offset_bytes`, `region.other_origin`
 * and the `other_` pitches belong to the other side: the destination of a copy,
 * the host memory of a write, read or map.
 */
#ifndef BERTH_OP_H
#define BERTH_OP_H

#include <berth/status.h>

BERTH_BEGIN_DECLS

/**
 * X(name, value, string). The string is the name in traces and JSON.
 */
#define BERTH_OP_KIND_MAP(X)                                                   \
	X(BERTH_OP_BUFFER_CREATE, 1, "buffer_create")                          \
	X(BERTH_OP_SUBBUFFER_CREATE, 2, "subbuffer_create")                    \
	X(BERTH_OP_IMAGE_CREATE, 3, "image_create")                            \
	X(BERTH_OP_SVM_ALLOC, 4, "svm_alloc")                                  \
	X(BERTH_OP_SVM_FREE, 5, "svm_free")                                    \
	X(BERTH_OP_RETAIN, 6, "retain")                                        \
	X(BERTH_OP_RELEASE, 7, "release")                                      \
	X(BERTH_OP_WRITE, 8, "write")                                          \
	X(BERTH_OP_READ, 9, "read")                                            \
	X(BERTH_OP_COPY, 10, "copy")                                           \
	X(BERTH_OP_FILL, 11, "fill")                                           \
	X(BERTH_OP_MAP, 12, "map")                                             \
	X(BERTH_OP_UNMAP, 13, "unmap")                                         \
	X(BERTH_OP_MIGRATE, 14, "migrate")                                     \
	X(BERTH_OP_USE, 15, "use")                                             \
	X(BERTH_OP_SYNC, 16, "sync")                                           \
	X(BERTH_OP_LABEL, 17, "label")                                         \
	X(BERTH_OP_PIPE_CREATE, 18, "pipe_create")                             \
	X(BERTH_OP_ARG, 19, "arg")                                             \
	X(BERTH_OP_DESTRUCTOR, 20, "destructor")                               \
	X(BERTH_OP_ORDER, 21, "order")

typedef enum berth_op_kind {
#define X(name, value, string) name = value,
	BERTH_OP_KIND_MAP(X)
#undef X
} berth_op_kind;

/** One more than the largest berth_op_kind; kinds index tables of this length. */
#define BERTH_OP_KIND_END 22

/** 1u << kind for every kind. */
enum {
	BERTH_OP_KINDS = 0u
#define X(name, value, string) | 1u << (value)
	BERTH_OP_KIND_MAP(X)
#undef X
};

/** @return whether a number is a berth_op_kind: not every one below the end is. */
static inline bool berth_op_kind_is_known(uint64_t kind)
{
	return kind < BERTH_OP_KIND_END && (BERTH_OP_KINDS >> kind & 1);
}

/** @return whether ops of this kind make an object. */
static inline bool berth_op_kind_creates(berth_op_kind kind)
{
	return kind == BERTH_OP_BUFFER_CREATE || kind == BERTH_OP_SUBBUFFER_CREATE ||
	       kind == BERTH_OP_IMAGE_CREATE || kind == BERTH_OP_SVM_ALLOC ||
	       kind == BERTH_OP_PIPE_CREATE;
}

/** @return whether ops of this kind name their objects in `uses`. */
static inline bool berth_op_kind_has_list(berth_op_kind kind)
{
	return kind == BERTH_OP_USE || kind == BERTH_OP_MIGRATE || kind == BERTH_OP_SVM_FREE ||
	       kind == BERTH_OP_ARG;
}

/** Which family of calls a write, read, copy, fill or map belongs to. */
typedef enum berth_op_form {
	BERTH_FORM_NONE = 0,	      /**< the kind has no forms */
	BERTH_FORM_LINEAR = 1,	      /**< clEnqueue{Write,Read,Copy,Fill,Map}Buffer */
	BERTH_FORM_RECT = 2,	      /**< clEnqueue{Write,Read,Copy}BufferRect */
	BERTH_FORM_IMAGE = 3,	      /**< image regions; copy: image to image */
	BERTH_FORM_IMAGE_TO_BUFFER = 4, /**< clEnqueueCopyImageToBuffer */
	BERTH_FORM_BUFFER_TO_IMAGE = 5, /**< clEnqueueCopyBufferToImage */
	/**
	 * Shared virtual memory: clEnqueueSVM*; clSetKernelArgSVMPointer. A memcpy from
	 * memory of the host is a write, one to it is a read.
	 */
	BERTH_FORM_SVM = 6,
} berth_op_form;

/** One more than the largest berth_op_form. */
#define BERTH_FORM_END 7

/** @return whether ops of this form work on `bytes` from an offset on. */
static inline bool berth_op_form_is_linear(berth_op_form form)
{
	return form == BERTH_FORM_LINEAR || form == BERTH_FORM_SVM;
}

/** @return whether ops of this form say in `region` where they work. */
static inline bool berth_op_form_has_region(berth_op_form form)
{
	return form >= BERTH_FORM_RECT && form <= BERTH_FORM_BUFFER_TO_IMAGE;
}

/** The NULL handle. */
#define BERTH_ID_NONE UINT64_C(0)
/** A handle that is not NULL and not one of a known object. */
#define BERTH_ID_UNKNOWN UINT64_MAX

/** Bits of berth_op.bits. */
enum {
	BERTH_OP_BLOCKING = 1u << 0, /**< blocking_write, _read or _map was CL_TRUE */
	BERTH_OP_ENQUEUED = 1u << 1, /**< svm_free: clEnqueueSVMFree, not clSVMFree */
	BERTH_OP_DEPRECATED = 1u << 2, /**< image_create: clCreateImage2D or clCreateImage3D */
	BERTH_OP_PROPERTIES = 1u << 3, /**< a create call ...WithProperties */
	BERTH_OP_USM_HOST = 1u << 4,   /**< svm_alloc: clHostMemAllocINTEL */
	BERTH_OP_USM_DEVICE = 1u << 5, /**< svm_alloc: clDeviceMemAllocINTEL */
	BERTH_OP_USM_SHARED = 1u << 6, /**< svm_alloc: clSharedMemAllocINTEL */
	/**
	 * A create call: of memory that belongs to something else (OpenGL, EGL, an imported
	 * handle). A device makes memory of its own of that size.
	 */
	BERTH_OP_EXTERNAL = 1u << 7,
	BERTH_OP_BEGINS = 1u << 8, /**< label without object: a phase of that name begins here */
	BERTH_OP_ENDS = 1u << 9,   /**< label without object: it ends here */
};

/** Bits of berth_op.absent: pointer arguments that were NULL though needed. */
enum {
	BERTH_ABSENT_ORIGIN = 1u << 0,	     /**< origin of `object`'s side */
	BERTH_ABSENT_OTHER_ORIGIN = 1u << 1, /**< origin of the other side */
	BERTH_ABSENT_EXTENT = 1u << 2,	     /**< the region */
	BERTH_ABSENT_FORMAT = 1u << 3,	     /**< image_format */
	BERTH_ABSENT_DESC = 1u << 4,	     /**< image_desc */
	BERTH_ABSENT_INFO = 1u << 5,	     /**< buffer_create_info of a sub-buffer */
	BERTH_ABSENT_CREATE_TYPE = 1u << 6,  /**< type is not CL_BUFFER_CREATE_TYPE_REGION */
	BERTH_ABSENT_MAP_PITCH = 1u << 7,    /**< image_row_pitch, or a slice pitch that is needed */
	BERTH_ABSENT_LIST = 1u << 8,	     /**< mem_objects of a migrate, pointers of an svm_free */
	BERTH_ABSENT_PROPERTY = 1u << 9,     /**< a property is unknown, repeated or has no such value */
	BERTH_ABSENT_FUNCTION = 1u << 10,    /**< pfn_notify of a destructor */
};

/** A box in a buffer (x in bytes) or image (x in pixels), and its partner. */
typedef struct berth_region {
	uint64_t origin[3];		/**< on the side of `object` */
	uint64_t other_origin[3];	/**< on the other side; rect and copies only */
	uint64_t extent[3];		/**< OpenCL's `region`: width, height, depth */
	uint64_t row_pitch_bytes;	/**< of `object`'s side (rect); as passed, 0 = default */
	uint64_t slice_pitch_bytes;
	uint64_t other_row_pitch_bytes; /**< of the host memory or the destination */
	uint64_t other_slice_pitch_bytes;
} berth_region;

/** An image as asked for: cl_image_desc and cl_image_format. */
typedef struct berth_image {
	uint32_t type;	       /**< cl_mem_object_type, as CL_MEM_OBJECT_IMAGE2D */
	uint32_t order;	       /**< cl_channel_order */
	uint32_t channel_type; /**< cl_channel_type */
	uint32_t mip_levels;
	uint32_t samples;
	uint32_t reserved; /**< 0 */
	uint64_t width;	   /**< pixels */
	uint64_t height;
	uint64_t depth;
	uint64_t array_size;
	uint64_t row_pitch_bytes; /**< as passed; 0 = default */
	uint64_t slice_pitch_bytes;
} berth_image;

/** How a kernel uses an object, bits of berth_object_use.access; 0 not known. */
enum {
	BERTH_ACCESS_READ = 1u << 0,
	BERTH_ACCESS_WRITE = 1u << 1,
};

/** berth_object_use.arg_index of what a kernel reaches only through pointers in memory. */
#define BERTH_ARG_INDIRECT UINT32_MAX

/** One object in the list of a use or a migrate. */
typedef struct berth_object_use {
	uint64_t object;
	uint32_t arg_index; /**< kernel argument; position in the list of a migrate */
	uint32_t access;    /**< BERTH_ACCESS_* bits; 0: not known, taken as both */
} berth_object_use;

/**
 * One memory operation. Zero it (`berth_op op = { .kind = … }`), then set what
 * its kind needs:
 *
 * | kind | fields |
 * |---|---|
 * | buffer_create | object, flags, bytes, host (with USE/COPY_HOST_PTR) |
 * | subbuffer_create | object, other = parent, flags, offset_bytes, bytes |
 * | image_create | object, other = buffer or image it lies on, flags, image, host |
 * | svm_alloc | object, flags = cl_svm_mem_flags, bytes, alignment_bytes; berth_result.mapped is the pointer |
 * | svm_free | object (0: NULL, which is legal); enqueued: uses, use_count |
 * | pipe_create | object, flags, packet_bytes, packet_count |
 * | retain, release | object |
 * | write, read | object, form, bits, offset_bytes + bytes (linear) or region, host |
 * | copy | object = source, other = destination, form; offset_bytes and other_offset_bytes and bytes (linear), region, or an offset and a region |
 * | fill | object, form, offset_bytes + bytes or region, host = pattern or colour, pattern_bytes |
 * | map | object, form, bits, flags = cl_map_flags, offset_bytes + bytes or region, mapping = id of the new mapping |
 * | unmap | object, mapping (0: the pointer was none of a live mapping); host_address without host: what the program wrote through the mapping is not available |
 * | migrate | flags = cl_mem_migration_flags, uses, use_count |
 * | use | uses, use_count, name = kernel |
 * | arg | name = kernel, bytes = arg_size, use_count = 1, uses[0] = the object, the index and how the kernel declares it may be accessed; image.type = what the kernel declares (CL_MEM_OBJECT_BUFFER for a pointer; 0 not known) |
 * | destructor | object: clSetMemObjectDestructorCallback |
 * | sync | nothing: all ops before it are complete after it |
 * | label | object, name; without object: a mark in time, bits = begins or ends a phase |
 * | order | name = the call; object; bytes: does nothing to memory, but orders commands or is a moment in an object's life (a marker, a flush, a user event, a context or queue that is retained or released: bytes = the references left; "destroyed": the driver has destroyed object) |
 */
typedef struct berth_op {
	berth_op_kind kind;
	berth_op_form form;
	uint32_t bits;	 /**< BERTH_OP_* */
	uint32_t absent; /**< BERTH_ABSENT_* */

	uint64_t object;
	uint64_t other;
	uint64_t mapping; /**< id of a mapping, unique among all mappings */
	uint64_t queue;	  /**< id of the queue as recorded; 0 = the device's own */
	uint64_t flags;	  /**< cl_mem_flags, cl_map_flags or cl_mem_migration_flags */

	uint64_t offset_bytes;
	uint64_t other_offset_bytes;
	uint64_t bytes;
	uint64_t pattern_bytes; /**< of a fill; a colour has 16 */
	uint64_t alignment_bytes; /**< of an svm_alloc; 0: the device's default */
	uint32_t packet_bytes;	  /**< of a pipe */
	uint32_t packet_count;	  /**< pipe_max_packets */

	/**
	 * The address the program passed (rules are about it: NULL or not, and how it
	 * is aligned). 0 = NULL. Set with berth_op_set_host() when the bytes are here.
	 */
	uint64_t host_address;
	/**
	 * The bytes themselves, laid out as the call says; borrowed. NULL with a
	 * host_address that is not 0: the content is not available. Must stay valid
	 * until execute returns, or, for transfers without BERTH_OP_BLOCKING, until
	 * the next sync; for CL_MEM_USE_HOST_PTR, until the object is gone.
	 */
	void *host;

	berth_region region;
	berth_image image;

	const berth_object_use *uses; /**< borrowed during execute */
	uint32_t use_count;
	const char *name; /**< kernel of a use, text of a label; borrowed during execute, or NULL */
} berth_op;

/** Give an op its host bytes: sets host and host_address together. */
static inline void berth_op_set_host(berth_op *op, void *host)
{
	op->host = host;
	op->host_address = (uint64_t)(uintptr_t)host;
}

/** How many other codes the specification may allow for one answer. */
#define BERTH_RESULT_CODES_MAX 7

/** A device's answer to one op. */
typedef struct berth_result {
	int32_t cl_status;  /**< CL_SUCCESS or why not */
	uint64_t bytes;	    /**< of a created object: CL_MEM_SIZE */
	uint64_t row_pitch_bytes;   /**< of a created image: CL_IMAGE_ROW_PITCH; of a map */
	uint64_t slice_pitch_bytes; /**< likewise */
	void *mapped;	    /**< of a map: where; NULL on devices without bytes */
	uint64_t duration_ns;	/**< wall clock of the call; 0 where time is not measured */

	/**
	 * From devices that know the specification (the simulator): the rule behind
	 * cl_status, a static string as "R25"; NULL when it succeeded or the device
	 * does not know.
	 */
	const char *rule;
	/**
	 * Other codes that conform just as well, because the specification orders no
	 * checks (code_count of them; cl_status itself not repeated).
	 */
	uint32_t code_count;
	int32_t codes[BERTH_RESULT_CODES_MAX];
	/** Of a read or map: bytes whose content the device does not know. */
	uint64_t unknown_bytes;
	/**
	 * From a simulator whose profile has a transfer model: the time that the op would
	 * take on that device. Valid when has_estimate; 0 for ops that move nothing.
	 */
	uint64_t estimated_ns;
	bool has_estimate; /**< false: no model, or the model lacks this way of moving bytes */
	/** Of an op for which a simulator has no memory: the bytes that it would have taken. */
	uint64_t missing_bytes;
} berth_result;

/** @return the name of a kind as in traces; a static string, "unknown" otherwise. */
BERTH_API const char *berth_op_kind_string(berth_op_kind kind);

/**
 * @retval BERTH_OK
 * @retval BERTH_E_NOT_FOUND  not the name of a kind
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_op_kind_parse(berth_op_kind *out, const char *name);

/** @return "linear", "rect", "image", "image_to_buffer", "buffer_to_image", "svm" or "". */
BERTH_API const char *berth_op_form_string(berth_op_form form);

/**
 * Describe an op in one line for a message: kind, ids, sizes.
 * @param[out] text  at most @p text_bytes with its NUL; cut when longer
 */
BERTH_API void berth_op_describe(const berth_op *op, char *text, size_t text_bytes);

/**
 * @return the op that takes back what @p op gave when it succeeded: the release of a new
 * object, the unmap of a map, ...; kind 0 when there is none. A release that was the last
 * cannot be taken back.
 */
BERTH_API berth_op berth_op_opposite(const berth_op *op);

/**
 * The bytes that a write, read, copy, fill or map moves or covers, without
 * pitch gaps.
 * @param element_bytes  bytes of a pixel of `object` (image forms); else not used
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL     the op moves no bytes
 * @retval BERTH_E_OVERFLOW  the product does not fit 64 bits
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_op_moved_bytes(uint64_t *out, const berth_op *op,
							     uint32_t element_bytes);

/**
 * How many bytes behind the host pointer a write, read, fill or create call
 * spans, pitch gaps included: what a caller must provide. Default pitches
 * (0) are resolved as the specification says.
 * @param element_bytes  bytes of a pixel (image forms and image_create)
 * @retval BERTH_OK, BERTH_E_INVAL, BERTH_E_OVERFLOW as above
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_op_host_bytes(uint64_t *out, const berth_op *op,
							    uint32_t element_bytes);

BERTH_END_DECLS

#endif
