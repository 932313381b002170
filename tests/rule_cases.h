/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cases of test_rules: ops on either side of each rule's boundary, on one set
 * of objects (rule_world.c). The rules' boundaries and codes are the
 * specification's, written here by hand.
 */
#ifndef BERTH_RULE_CASES_H
#define BERTH_RULE_CASES_H

#include <berth/rules.h>

#include <CL/cl.h>

/*
 * Tables of cases leave out what is 0, and set a field again after a macro has:
 * that is the point of them.
 */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Woverride-init"

struct rule_case {
	const char *rule;
	const char *name;
	int32_t code; /* the op breaks the rule, and this is the answer; 0: it keeps it */
	berth_op op;
	uint32_t version;		/* of the device; 0: 300 */
	void (*change)(berth_caps *); /* to the capabilities; may be NULL */
	bool others;			/* other rules are broken as well; else none is */
	const char *why[2];		/* parts of the explanation */
};

struct rule_cases {
	const struct rule_case *cases;
	size_t count;
};

#define RULE_CASES(cases) { cases, sizeof(cases) / sizeof((cases)[0]) }

extern const struct rule_cases rule_cases_flags;
extern const struct rule_cases rule_cases_buffer;
extern const struct rule_cases rule_cases_image;
extern const struct rule_cases rule_cases_image_memory;
extern const struct rule_cases rule_cases_linear;
extern const struct rule_cases rule_cases_rect;
extern const struct rule_cases rule_cases_image_command;
extern const struct rule_cases rule_cases_image_region;
extern const struct rule_cases rule_cases_object;
extern const struct rule_cases rule_cases_argument;
extern const struct rule_cases rule_cases_svm;

/* The objects. Images are RGBA of 8 bits, 4 bytes a pixel, unless said otherwise. */
enum {
	BUF = 1,   /* 4096 bytes */
	SUB_A,	   /* of BUF, 1024 bytes at 1024 */
	SUB_B,	   /* of BUF, 1024 bytes at 1536 */
	SUB_ODD,   /* of BUF, 512 bytes at 100: not aligned */
	BIG,	   /* 1 MiB */
	SUB_BIG,   /* of BIG, 1024 bytes at 1536 */
	HOST_EVEN, /* 4096 bytes with USE_HOST_PTR at 0x10000 */
	HOST_ODD,  /* the same at 0x10004 */
	TO_WRITE,  /* 4096 bytes, HOST_WRITE_ONLY */
	TO_READ,   /* 4096 bytes, HOST_READ_ONLY */
	NO_HOST,   /* 4096 bytes, HOST_NO_ACCESS */
	RO,	   /* 4096 bytes, READ_ONLY */
	WO,	   /* 4096 bytes, WRITE_ONLY */
	MAPPED,	   /* 4096 bytes; 1024 at 1024 mapped for writing, 16 at 0 for reading */
	ENDED,	   /* released */
	IMG,	   /* 2D, 64 x 32 */
	IMG_2,	   /* 2D, 64 x 32 */
	IMG_FLOAT, /* 2D, 64 x 32 of RGBA float */
	IMG_3D,	   /* 16 x 8 x 4 */
	IMG_1D,	   /* 64 */
	ARRAY_1D,  /* 4 of 16 */
	ARRAY_2D,  /* 4 of 16 x 8 */
	LINE,	   /* 1D buffer image on BUF, 256 */
	IMG_WIDE,  /* 2D, 16385 x 1: one more than the device takes */
	IMG_ODD,   /* 2D, 64 x 32 of CL_INTENSITY float, which the device does not have */
	IMG_MAPPED, /* 2D, 64 x 32; 8 x 8 at 8,8 mapped for writing */
	IMG_NO_HOST, /* 2D, 64 x 32, HOST_NO_ACCESS */
	SUB_MAPPED, /* of MAPPED, 1024 bytes at 1536: half of it is mapped with MAPPED */
	SVM,	    /* 4096 bytes of shared virtual memory at 0x20000; 1024 at 0 mapped */
	SVM_2,	    /* the same at 0x40000, nothing mapped */
	PIPE,	    /* 16 packets of 64 bytes */
	IMG_RO,	    /* 2D, 64 x 32, READ_ONLY */
	IMG_WO,	    /* 2D, 64 x 32, WRITE_ONLY */
	NEW,	   /* the id of what a case creates */
};

enum { MAPPING_WRITE = 1, MAPPING_READ = 2, MAPPING_IMAGE = 3, MAPPING_SVM = 4, MAPPING_NEW = 9 };

#define POINTER 0x1000 /* some host address */

#define CREATE_BUFFER(...) { .kind = BERTH_OP_BUFFER_CREATE, .object = NEW, __VA_ARGS__ }
#define CREATE_SUB(parent, ...)                                                                    \
	{ .kind = BERTH_OP_SUBBUFFER_CREATE, .object = NEW, .other = parent, __VA_ARGS__ }
#define IMAGE(image_type, ...)                                                                     \
	.kind = BERTH_OP_IMAGE_CREATE, .object = NEW,                                              \
	.image = { .type = CL_MEM_OBJECT_IMAGE##image_type, .order = CL_RGBA,                      \
		   .channel_type = CL_UNORM_INT8, __VA_ARGS__ }

#define LINEAR(op_kind, id, offset, size, ...)                                                     \
	{ .kind = BERTH_OP_##op_kind, .form = BERTH_FORM_LINEAR, .object = id,                     \
	  .offset_bytes = offset, .bytes = size, __VA_ARGS__ }
#define COPY_LINEAR(from, from_offset, to, to_offset, size)                                        \
	LINEAR(COPY, from, from_offset, size, .other = to, .other_offset_bytes = to_offset)
#define RECT(op_kind, id, ...)                                                                     \
	{ .kind = BERTH_OP_##op_kind, .form = BERTH_FORM_RECT, .object = id,                       \
	  .host_address = POINTER, .region = { __VA_ARGS__ } }
#define COPY_RECT(from, to, ...)                                                                   \
	{ .kind = BERTH_OP_COPY, .form = BERTH_FORM_RECT, .object = from, .other = to,             \
	  .region = { __VA_ARGS__ } }
#define ON_IMAGE(op_kind, id, ...)                                                                 \
	{ .kind = BERTH_OP_##op_kind, .form = BERTH_FORM_IMAGE, .object = id,                      \
	  .host_address = POINTER, .region = { __VA_ARGS__ } }
#define COPY_IMAGE(from, to, ...)                                                                  \
	{ .kind = BERTH_OP_COPY, .form = BERTH_FORM_IMAGE, .object = from, .other = to,            \
	  .region = { __VA_ARGS__ } }
#define TO_BUFFER(from, to, to_offset, ...)                                                        \
	{ .kind = BERTH_OP_COPY, .form = BERTH_FORM_IMAGE_TO_BUFFER, .object = from, .other = to,  \
	  .other_offset_bytes = to_offset, .region = { __VA_ARGS__ } }
#define TO_IMAGE(from, from_offset, to, ...)                                                       \
	{ .kind = BERTH_OP_COPY, .form = BERTH_FORM_BUFFER_TO_IMAGE, .object = from, .other = to,  \
	  .offset_bytes = from_offset, .region = { __VA_ARGS__ } }

#define ON_SVM(op_kind, id, offset, size, ...)                                                     \
	{ .kind = BERTH_OP_##op_kind, .form = BERTH_FORM_SVM, .object = id,                        \
	  .offset_bytes = offset, .bytes = size, __VA_ARGS__ }

/* Changes that several files of cases need. */
void without_images(berth_caps *caps);
void without_images_on_buffers(berth_caps *caps);
void alignment_in_bytes(berth_caps *caps);

/*
 * The device: the minimum of its version, with images on buffers aligned to 64
 * pixels, and SUB_ODD as if a driver had let it pass.
 */
void rule_world_caps(berth_caps *caps, uint32_t version);
berth_objects *rule_world_create(void);

/* The ops that make the objects, for devices that accept them all. */
const berth_op *rule_world_ops(size_t *count);

#endif
