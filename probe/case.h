/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cases as tables: ops on either side of each rule's boundary, on one set of
 * objects (world.c). A row gives the op; sizes that follow the device are set by
 * its scale. A row says for which side of which rule it stands; whether it does so on a
 * given device, the rules say (plan.c).
 */
#ifndef BERTH_PROBE_CASE_H
#define BERTH_PROBE_CASE_H

#include <berth/rules.h>

#include <CL/cl.h>

#include <stddef.h>

/*
 * Tables of cases leave out what is 0, and set a field again after a macro has:
 * that is the point of them.
 */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Woverride-init"

enum probe_side { KEEPS, BREAKS };

/* What a device says, as a number. */
enum probe_limit {
	MAX_ALLOC,
	BASE_ALIGN, /* bytes */
	HALF_BASE_ALIGN,
	WIDTH_2D,
	HEIGHT_2D,
	WIDTH_3D,
	DEPTH_3D,
	PIXELS_1D_BUFFER,
	LAYERS,
	PITCH_PX, /* the pitch alignment in pixels of 4 bytes */
	PITCH,	  /* the same in bytes */
	PROBE_LIMIT_END,
};

/* A field of an op: the limit and something more. */
struct probe_scale {
	size_t field; /* offset in berth_op, of a uint64_t; 0 ends the list: that is the kind */
	enum probe_limit limit;
	int64_t more;
};

#define PROBE_SCALES 2

struct probe_row {
	const char *rule;
	const char *name;
	enum probe_side side;
	berth_op op;
	struct probe_scale scale[PROBE_SCALES];
};

struct probe_rows {
	const struct probe_row *rows;
	size_t count;
};

#define PROBE_ROWS(rows)                                                                           \
	{                                                                                          \
		rows, sizeof(rows) / sizeof((rows)[0])                                             \
	}
#define AT(member, limit, more)                                                                    \
	{                                                                                          \
		offsetof(berth_op, member), limit, more                                            \
	}

extern const struct probe_rows probe_rows_flags;
extern const struct probe_rows probe_rows_buffer;
extern const struct probe_rows probe_rows_image;
extern const struct probe_rows probe_rows_image_memory;
extern const struct probe_rows probe_rows_linear;
extern const struct probe_rows probe_rows_rect;
extern const struct probe_rows probe_rows_image_command;
extern const struct probe_rows probe_rows_image_region;
extern const struct probe_rows probe_rows_object;
extern const struct probe_rows probe_rows_argument;
extern const struct probe_rows probe_rows_svm;

/* The objects. Images are RGBA of 8 bits, 4 bytes a pixel, unless said otherwise. */
enum {
	BUF = 1,     /* 4096 bytes */
	SUB_A,	     /* of BUF, 1024 bytes at 1024 */
	SUB_B,	     /* of BUF, 1024 bytes at 1536 */
	SUB_ODD,     /* of BUF, 512 bytes at 100: aligned on no device */
	BIG,	     /* 1 MiB */
	SUB_BIG,     /* of BIG, 1024 bytes at 1536 */
	HOST_EVEN,   /* 4096 bytes with USE_HOST_PTR at 0x10000 of the lent memory */
	HOST_ODD,    /* the same at 0x10004 */
	TO_WRITE,    /* 4096 bytes, HOST_WRITE_ONLY */
	TO_READ,     /* 4096 bytes, HOST_READ_ONLY */
	NO_HOST,     /* 4096 bytes, HOST_NO_ACCESS */
	RO,	     /* 4096 bytes, READ_ONLY */
	WO,	     /* 4096 bytes, WRITE_ONLY */
	MAPPED,	     /* 4096 bytes; 1024 at 1024 mapped for writing, 16 at 0 for reading */
	IMG,	     /* 2D, 64 x 32 */
	IMG_2,	     /* 2D, 64 x 32 */
	IMG_FLOAT,   /* 2D, 64 x 32 of RGBA float */
	IMG_3D,	     /* 16 x 8 x 4 */
	IMG_1D,	     /* 64 */
	ARRAY_1D,    /* 4 of 16 */
	ARRAY_2D,    /* 4 of 16 x 8 */
	LINE,	     /* 1D buffer image on BUF, 256 */
	IMG_WIDE,    /* 2D, 16385 x 1: one pixel more than the device takes */
	IMG_ODD,     /* 2D, 64 x 32 of CL_INTENSITY float, which few devices have */
	IMG_MAPPED,  /* 2D, 64 x 32; 8 x 8 at 8,8 mapped for writing */
	IMG_NO_HOST, /* 2D, 64 x 32, HOST_NO_ACCESS */
	SUB_MAPPED,  /* of MAPPED, 1024 bytes at 1536: half of it is mapped with MAPPED */
	SVM,	     /* 4096 bytes of shared virtual memory; 1024 at 0 mapped */
	SVM_2,	     /* the same, nothing mapped */
	PIPE,	     /* 16 packets of 64 bytes */
	IMG_RO,	     /* 2D, 64 x 32, READ_ONLY */
	IMG_WO,	     /* 2D, 64 x 32, WRITE_ONLY */
	NEW,	     /* the id of what a case creates */
};

enum { MAPPING_WRITE = 1, MAPPING_READ = 2, MAPPING_IMAGE = 3, MAPPING_SVM = 4, MAPPING_NEW = 9 };

/*
 * Host addresses in rows: offsets in the memory that a case is lent, which begins at a
 * multiple of 64 KiB.
 */
#define POINTER 0x1000

#define CREATE_BUFFER(...)                                                                         \
	{                                                                                          \
		.kind = BERTH_OP_BUFFER_CREATE, .object = NEW, __VA_ARGS__                         \
	}
#define CREATE_SUB(parent, ...)                                                                    \
	{                                                                                          \
		.kind = BERTH_OP_SUBBUFFER_CREATE, .object = NEW, .other = parent, __VA_ARGS__     \
	}
#define IMAGE(image_type, ...)                                                                     \
	.kind = BERTH_OP_IMAGE_CREATE, .object = NEW,                                              \
	.image = { .type = CL_MEM_OBJECT_IMAGE##image_type,                                        \
		   .order = CL_RGBA,                                                               \
		   .channel_type = CL_UNORM_INT8,                                                  \
		   __VA_ARGS__ }

#define LINEAR(op_kind, id, offset, size, ...)                                                     \
	{                                                                                          \
		.kind = BERTH_OP_##op_kind, .form = BERTH_FORM_LINEAR, .object = id,               \
		.offset_bytes = offset, .bytes = size, __VA_ARGS__                                 \
	}
#define COPY_LINEAR(from, from_offset, to, to_offset, size)                                        \
	LINEAR(COPY, from, from_offset, size, .other = to, .other_offset_bytes = to_offset)
#define RECT(op_kind, id, ...)                                                                     \
	{                                                                                          \
		.kind = BERTH_OP_##op_kind, .form = BERTH_FORM_RECT, .object = id,                 \
		.host_address = POINTER, .region = {                                               \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}
#define COPY_RECT(from, to, ...)                                                                   \
	{                                                                                          \
		.kind = BERTH_OP_COPY, .form = BERTH_FORM_RECT, .object = from, .other = to,       \
		.region = {                                                                        \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}
#define ON_IMAGE(op_kind, id, ...)                                                                 \
	{                                                                                          \
		.kind = BERTH_OP_##op_kind, .form = BERTH_FORM_IMAGE, .object = id,                \
		.host_address = POINTER, .region = {                                               \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}
#define COPY_IMAGE(from, to, ...)                                                                  \
	{                                                                                          \
		.kind = BERTH_OP_COPY, .form = BERTH_FORM_IMAGE, .object = from, .other = to,      \
		.region = {                                                                        \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}
#define TO_BUFFER(from, to, to_offset, ...)                                                        \
	{                                                                                          \
		.kind = BERTH_OP_COPY, .form = BERTH_FORM_IMAGE_TO_BUFFER, .object = from,         \
		.other = to, .other_offset_bytes = to_offset, .region = {                          \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}
#define TO_IMAGE(from, from_offset, to, ...)                                                       \
	{                                                                                          \
		.kind = BERTH_OP_COPY, .form = BERTH_FORM_BUFFER_TO_IMAGE, .object = from,         \
		.other = to, .offset_bytes = from_offset, .region = {                              \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}

#define ON_SVM(op_kind, id, offset, size, ...)                                                     \
	{                                                                                          \
		.kind = BERTH_OP_##op_kind, .form = BERTH_FORM_SVM, .object = id,                  \
		.offset_bytes = offset, .bytes = size, __VA_ARGS__                                 \
	}

#define WORLD_IDS 64 /* more than there are */

/* The ops that make the objects, in order, with their scale. */
struct probe_made {
	berth_op op;
	struct probe_scale scale;
};

extern const struct probe_made probe_world[];
extern const size_t probe_world_count;

#endif
