/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside the OpenCL device. One op goes through these, a file each:
 *
 *   opencl_device.c   how the device begins and ends
 *   opencl_execute.c  the steps, and how an answer changes the state
 *   opencl_command.c  the table of OpenCL calls, by op kind and form
 *   opencl_svm.c      those on shared virtual memory, and pipes
 *   opencl_argument.c clSetKernelArg, and the kernels for it
 *   opencl_objects.c  ids: the driver's handles, counts and mappings behind them
 *   opencl_queues.c   a queue for each of the program's
 *   opencl_explain.c  why the driver may have refused
 *   opencl_find.c     platforms and devices by name, capabilities
 */
#ifndef BERTH_LIB_OPENCL_DEVICE_H
#define BERTH_LIB_OPENCL_DEVICE_H

#include <sys/queue.h>

#include <berth/opencl.h>

/* A live mapping; a list on its object. */
struct berth__cl_mapping {
	uint64_t id;
	void *pointer;
	struct berth__cl_mapping *next;
};

/*
 * An object that exists: named by the application (references > 0), or only
 * held by its children.
 */
struct berth__cl_object {
	uint64_t id;
	cl_mem mem;
	void *svm; /* of shared virtual memory, which has no mem */
	struct berth__cl_object *parent;
	uint64_t bytes; /* CL_MEM_SIZE; counts as memory when there is no parent */
	uint32_t references;
	uint32_t children;
	struct berth__cl_mapping *mappings;
	LIST_ENTRY(berth__cl_object) link;
};

/* The kernels that arguments are set on: by type, and by BERTH_ACCESS_* bits. */
#define BERTH__CL_ARGUMENT_TYPES 8
#define BERTH__CL_ARGUMENT_ACCESSES 4

/* A queue for ops of one op.queue. */
struct berth__cl_queue {
	uint64_t id; /* 0: the device's first */
	cl_command_queue queue;
	LIST_ENTRY(berth__cl_queue) link;
};

struct berth__opencl {
	berth_device device;
	berth_caps caps;
	char name[160];
	cl_context context;
	cl_command_queue queue; /* that commands go to */
	bool has_queues;	/* it is the one of the op; all are in `queues` */
	LIST_HEAD(, berth__cl_queue) queues;
	void *objects; /* tsearch(3) tree of berth__cl_object by id */
	LIST_HEAD(, berth__cl_object) newest_first; /* the same objects */
	berth_memory memory;
	cl_kernel argument_kernels[BERTH__CL_ARGUMENT_TYPES][BERTH__CL_ARGUMENT_ACCESSES];
	/* Stands in for pointers that only have to be there: no call may use what it points at. */
	unsigned char placeholder[128];
};

/* One op on its way to the driver: ids and host pointer resolved. */
struct berth__cl_call {
	struct berth__opencl *opencl;
	const berth_op *op;
	berth_result *result;
	cl_mem object; /* of op->object; NULL for BERTH_ID_NONE and for a create */
	cl_mem other;  /* likewise of op->other */
	cl_mem *list;  /* of op->uses, list_count of them; owned */
	cl_uint list_count;
	void *host;			   /* what to pass as the host pointer */
	void *unmapped;			   /* unmap: the pointer to give back */
	cl_kernel kernel;		   /* arg: whose argument is set */
	struct berth__cl_mapping *mapping; /* map: room for the new one; owned until it is kept */
	cl_mem created;			   /* out: the object that a create made */
};

/* What a command's arguments need before it can run. */
enum {
	BERTH__CL_OBJECT = 1u << 0, /* op->object is an existing object's handle */
	BERTH__CL_OTHER = 1u << 1,  /* so is op->other */
	BERTH__CL_LIST = 1u << 2,   /* so are op->uses */
	BERTH__CL_DATA = 1u << 3,   /* host bytes */
	BERTH__CL_STORE = 1u << 4,  /* host bytes when the flags USE or COPY them */
};

/* One OpenCL call. */
struct berth__cl_command {
	const char *name;
	cl_int (*run)(struct berth__cl_call *call);
	uint32_t cl_version; /* that has it, as berth_caps.cl_version */
	uint32_t needs;	     /* BERTH__CL_* */
};

/*
 * Make the queue of an op the one that commands go to, after all that was enqueued before.
 * BERTH_OK, BERTH_E_CL, BERTH_E_NOMEM
 */
berth_status berth__cl_queue_switch(struct berth__opencl *opencl, uint64_t id);
void berth__cl_queues_release(struct berth__opencl *opencl);

/* The command for a kind and form; NULL when that pair is not defined. */
const struct berth__cl_command *berth__cl_command(const berth_op *op, cl_uint version);

/* The calls of opencl_svm.c and opencl_argument.c. */
cl_int berth__cl_svm_alloc(struct berth__cl_call *call);
cl_int berth__cl_svm_free(struct berth__cl_call *call);
cl_int berth__cl_svm_write(struct berth__cl_call *call);
cl_int berth__cl_svm_read(struct berth__cl_call *call);
cl_int berth__cl_svm_copy(struct berth__cl_call *call);
cl_int berth__cl_svm_fill(struct berth__cl_call *call);
cl_int berth__cl_svm_map(struct berth__cl_call *call);
cl_int berth__cl_svm_unmap(struct berth__cl_call *call);
cl_int berth__cl_svm_migrate(struct berth__cl_call *call);
cl_int berth__cl_pipe_create(struct berth__cl_call *call);
cl_int berth__cl_argument_set(struct berth__cl_call *call);
cl_int berth__cl_argument_set_svm(struct berth__cl_call *call);

/*
 * A kernel that declares what an arg op says, kept until berth__cl_argument_release().
 * BERTH_OK, BERTH_E_INVAL: no such type; BERTH_E_UNSUPPORTED: the driver builds none.
 */
berth_status berth__cl_argument_kernel(cl_kernel *out, struct berth__opencl *opencl,
				       const berth_op *op);
void berth__cl_argument_release(struct berth__opencl *opencl);

/* The device's slot; see berth_device_ops. */
berth_status berth__cl_execute(berth_device *device, const berth_op *op, berth_result *result);

/* Objects. Find: only what the application may still name; NULL otherwise. */
struct berth__cl_object *berth__cl_find(const struct berth__opencl *opencl, uint64_t id);

/* Whether an id can be given to a new object: BERTH_OK or BERTH_E_STATE. */
berth_status berth__cl_check_new(const struct berth__opencl *opencl, uint64_t id);

/* Take over call->created as op->object; BERTH_E_NOMEM: released again. */
berth_status berth__cl_adopt(struct berth__cl_call *call);

/* Know another device's object of this context as @id; as berth_device_borrow(). */
berth_status berth__cl_borrow(struct berth__opencl *opencl, uint64_t id, cl_mem mem);

/* Forget one reference of an object that the driver has released. */
void berth__cl_drop(struct berth__opencl *opencl, struct berth__cl_object *object);

/* Mappings: of an object that exists. */
struct berth__cl_mapping *berth__cl_find_mapping(const struct berth__cl_object *object,
						 uint64_t id);
void berth__cl_remove_mapping(struct berth__cl_object *object, uint64_t id);

/* Unmap, complete and release everything. */
void berth__cl_release_all(struct berth__opencl *opencl);

/* BERTH_E_CL for a call that is no op. */
berth_status berth__cl_failed(const char *call, cl_int code);

/* Set the thread's detail for a refusal: call, code, object and the limit it may have hit. */
void berth__cl_explain(const struct berth__opencl *opencl, const char *call, const berth_op *op,
		       cl_int code);

/* "opencl:" and the platform's name, ":N" when the device is not its first. */
void berth__cl_device_name(char *text, size_t text_bytes, cl_device_id device,
			   const char *platform);

#endif
