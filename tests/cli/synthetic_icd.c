/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An OpenCL driver that answers every call, for the record layer: as the environment says, it
 * refuses one call of n (SYNTHETIC_REFUSE=N), takes its time (SYNTHETIC_SLOW=MICROSECONDS), or
 * calls OpenCL from inside of OpenCL (SYNTHETIC_REENTER=1). An object's memory is the host's,
 * commands move no bytes but those that are read. Built for the sanitizers like the layer is, which
 * real drivers are not.
 */
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A driver's functions get far more than this one looks at. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define SLOTS (sizeof(cl_icd_dispatch) / sizeof(void *))
#define IMAGE_BYTES 4096 /* of any image and pipe */

typedef void(CL_CALLBACK *destroyed_fn)(cl_mem object, void *userdata);

/* What every handle points to: loaders look for the table at its beginning. */
struct object {
	const cl_icd_dispatch *dispatch;
	atomic_uint references;
	size_t bytes;
	char *memory;
	destroyed_fn destroyed;
	void *userdata;
};

static cl_icd_dispatch table;
static struct object platform = { .dispatch = &table }, device = { .dispatch = &table };
static unsigned long refuse_each, slow_us;
static bool reenter;
static atomic_ulong calls;
static _Thread_local unsigned depth;

/* As by a driver that is itself written in OpenCL. */
static void call_again(void)
{
	cl_int(CL_API_CALL * retain)(cl_mem) = NULL;
	cl_uint count;

	*(void **)&retain = dlsym(RTLD_DEFAULT, "clRetainMemObject");
	if (depth++ == 0 && retain) {
		retain(NULL);
		clGetPlatformIDs(0, NULL, &count);
	}
	depth--;
}

static cl_int answer(cl_int refusal)
{
	/* Spread, as else a program's n-th call in each round would be the one that is refused. */
	const uint64_t mix = 0x9e3779b97f4a7c15;
	uint64_t call = atomic_fetch_add(&calls, 1) + 1;

	if (slow_us)
		usleep((useconds_t)slow_us);
	if (reenter)
		call_again();
	return refuse_each && (call * mix >> 33) % refuse_each == 0 ? refusal : CL_SUCCESS;
}

/* Every slot that needs no more: the arguments are the caller's to clean up. */
static cl_int CL_API_CALL answer_any(void)
{
	return answer(CL_OUT_OF_RESOURCES);
}

static void *make(size_t bytes, cl_int *status)
{
	cl_int code = answer(CL_MEM_OBJECT_ALLOCATION_FAILURE);
	struct object *made = NULL;

	if (code == CL_SUCCESS) {
		made = calloc(1, sizeof(*made));
		if (made)
			made->memory = calloc(1, bytes ? bytes : 1);
		if (!made || !made->memory)
			abort();
		made->dispatch = &table;
		made->references = 1;
		made->bytes = bytes;
	}
	if (status)
		*status = code;
	return made;
}

static cl_int retain_object(struct object *object)
{
	atomic_fetch_add(&object->references, 1);
	return CL_SUCCESS;
}

static cl_int release_object(struct object *object)
{
	if (atomic_fetch_sub(&object->references, 1) != 1)
		return CL_SUCCESS;
	if (object->destroyed)
		object->destroyed((cl_mem)object, object->userdata);
	free(object->memory);
	free(object);
	return CL_SUCCESS;
}

static cl_int put(const void *value, size_t bytes, size_t room, void *out, size_t *needed)
{
	if (out && room < bytes)
		return CL_INVALID_VALUE;
	if (out)
		memcpy(out, value, bytes);
	if (needed)
		*needed = bytes;
	return CL_SUCCESS;
}

static cl_int put_text(const char *text, size_t room, void *out, size_t *needed)
{
	return put(text, strlen(text) + 1, room, out, needed);
}

static cl_int put_number(cl_ulong number, size_t bytes, size_t room, void *out, size_t *needed)
{
	cl_uint narrow = (cl_uint)number;

	return bytes == sizeof(narrow) ? put(&narrow, bytes, room, out, needed) :
					 put(&number, bytes, room, out, needed);
}

static cl_int CL_API_CALL get_platforms(cl_uint room, cl_platform_id *out, cl_uint *count)
{
	if (out && room)
		out[0] = (cl_platform_id)&platform;
	if (count)
		*count = 1;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL get_devices(cl_platform_id of, cl_device_type type, cl_uint room,
				      cl_device_id *out, cl_uint *count)
{
	if (out && room)
		out[0] = (cl_device_id)&device;
	if (count)
		*count = 1;
	return CL_SUCCESS;
}

static cl_int CL_API_CALL get_platform_info(cl_platform_id of, cl_platform_info query, size_t room,
					    void *out, size_t *needed)
{
	static const struct {
		cl_platform_info query;
		const char *text;
	} texts[] = {
		{ CL_PLATFORM_NAME, "Synthetic" },
		{ CL_PLATFORM_VENDOR, "Berth's tests" },
		{ CL_PLATFORM_VERSION, "OpenCL 3.0 synthetic" },
		{ CL_PLATFORM_PROFILE, "FULL_PROFILE" },
		{ CL_PLATFORM_EXTENSIONS, "cl_khr_icd" },
		{ CL_PLATFORM_ICD_SUFFIX_KHR, "SYN" },
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i].query == query)
			return put_text(texts[i].text, room, out, needed);
	return CL_INVALID_VALUE;
}

#define MIB ((cl_ulong)1 << 20)

static cl_int CL_API_CALL get_device_info(cl_device_id of, cl_device_info query, size_t room,
					  void *out, size_t *needed)
{
	static const struct {
		cl_device_info query;
		size_t bytes; /* 0: a text */
		cl_ulong number;
		const char *text;
	} facts[] = {
		{ CL_DEVICE_NAME, 0, 0, "Synthetic" },
		{ CL_DEVICE_VENDOR, 0, 0, "Berth's tests" },
		{ CL_DEVICE_VERSION, 0, 0, "OpenCL 3.0 synthetic" },
		{ CL_DRIVER_VERSION, 0, 0, "1" },
		{ CL_DEVICE_EXTENSIONS, 0, 0, "cl_khr_icd" },
		{ CL_DEVICE_TYPE, 8, CL_DEVICE_TYPE_CPU, NULL },
		{ CL_DEVICE_GLOBAL_MEM_SIZE, 8, 1024 * MIB, NULL },
		{ CL_DEVICE_MAX_MEM_ALLOC_SIZE, 8, 256 * MIB, NULL },
		{ CL_DEVICE_LOCAL_MEM_SIZE, 8, 32768, NULL },
		{ CL_DEVICE_MEM_BASE_ADDR_ALIGN, 4, 1024, NULL },
		{ CL_DEVICE_IMAGE_SUPPORT, 4, CL_TRUE, NULL },
		{ CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, 4, 64, NULL },
		{ CL_DEVICE_HOST_UNIFIED_MEMORY, 4, CL_TRUE, NULL },
		{ CL_DEVICE_SVM_CAPABILITIES, 8, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER, NULL },
		{ CL_DEVICE_PIPE_MAX_PACKET_SIZE, 4, 1024, NULL },
		{ CL_DEVICE_IMAGE2D_MAX_WIDTH, 8, 16384, NULL },
		{ CL_DEVICE_IMAGE2D_MAX_HEIGHT, 8, 16384, NULL },
		{ CL_DEVICE_IMAGE3D_MAX_WIDTH, 8, 2048, NULL },
		{ CL_DEVICE_IMAGE3D_MAX_HEIGHT, 8, 2048, NULL },
		{ CL_DEVICE_IMAGE3D_MAX_DEPTH, 8, 2048, NULL },
		{ CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, 8, 65536, NULL },
		{ CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, 8, 2048, NULL },
		{ CL_DEVICE_IMAGE_PITCH_ALIGNMENT, 4, 64, NULL },
		{ CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, 4, 64, NULL },
	};
	const void *parent = &platform;

	if (query == CL_DEVICE_PLATFORM)
		return put(&parent, sizeof(parent), room, out, needed);
	for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
		if (facts[i].query == query)
			return facts[i].bytes ? put_number(facts[i].number, facts[i].bytes, room,
							   out, needed) :
						put_text(facts[i].text, room, out, needed);
	return CL_INVALID_VALUE;
}

static cl_int CL_API_CALL get_context_info(cl_context of, cl_context_info query, size_t room,
					   void *out, size_t *needed)
{
	const void *only = &device;

	if (query == CL_CONTEXT_NUM_DEVICES)
		return put_number(1, sizeof(cl_uint), room, out, needed);
	return query == CL_CONTEXT_DEVICES ? put(&only, sizeof(only), room, out, needed) :
					     CL_INVALID_VALUE;
}

static cl_int CL_API_CALL get_object_info(cl_mem of, cl_mem_info query, size_t room, void *out,
					  size_t *needed)
{
	struct object *object = (struct object *)of;

	return query == CL_MEM_SIZE ? put(&object->bytes, sizeof(size_t), room, out, needed) :
				      CL_INVALID_VALUE;
}

static cl_int CL_API_CALL get_event_info(cl_event of, cl_event_info query, size_t room, void *out,
					 size_t *needed)
{
	return query == CL_EVENT_COMMAND_EXECUTION_STATUS ?
		       put_number(CL_COMPLETE, sizeof(cl_int), room, out, needed) :
		       CL_INVALID_VALUE;
}

/* Where a driver fails without a word, so does this one: no kernel's arguments are known. */
static cl_int CL_API_CALL get_none(void)
{
	return CL_INVALID_VALUE;
}

/* MAKES(name, type, bytes, parameters): a call that gives a handle, or NULL and a code. */
#define MAKERS(MAKES)                                                                              \
	MAKES(clCreateContext, cl_context, 0,                                                      \
	      (const cl_context_properties *p, cl_uint n, const cl_device_id *d,                   \
	       void(CL_CALLBACK *f)(const char *, const void *, size_t, void *), void *u,          \
	       cl_int *status))                                                                    \
	MAKES(clCreateContextFromType, cl_context, 0,                                              \
	      (const cl_context_properties *p, cl_device_type t,                                   \
	       void(CL_CALLBACK *f)(const char *, const void *, size_t, void *), void *u,          \
	       cl_int *status))                                                                    \
	MAKES(clCreateCommandQueue, cl_command_queue, 0,                                           \
	      (cl_context c, cl_device_id d, cl_command_queue_properties p, cl_int *status))       \
	MAKES(clCreateCommandQueueWithProperties, cl_command_queue, 0,                             \
	      (cl_context c, cl_device_id d, const cl_queue_properties *p, cl_int *status))        \
	MAKES(clCreateBuffer, cl_mem, size,                                                        \
	      (cl_context c, cl_mem_flags f, size_t size, void *h, cl_int *status))                \
	MAKES(clCreateBufferWithProperties, cl_mem, size,                                          \
	      (cl_context c, const cl_mem_properties *p, cl_mem_flags f, size_t size, void *h,     \
	       cl_int *status))                                                                    \
	MAKES(clCreateSubBuffer, cl_mem, ((const cl_buffer_region *)region)->size,                 \
	      (cl_mem m, cl_mem_flags f, cl_buffer_create_type t, const void *region,              \
	       cl_int *status))                                                                    \
	MAKES(clCreateImage, cl_mem, IMAGE_BYTES,                                                  \
	      (cl_context c, cl_mem_flags f, const cl_image_format *i, const cl_image_desc *d,     \
	       void *h, cl_int *status))                                                           \
	MAKES(clCreateImageWithProperties, cl_mem, IMAGE_BYTES,                                    \
	      (cl_context c, const cl_mem_properties *p, cl_mem_flags f, const cl_image_format *i, \
	       const cl_image_desc *d, void *h, cl_int *status))                                   \
	MAKES(clCreateImage2D, cl_mem, IMAGE_BYTES,                                                \
	      (cl_context c, cl_mem_flags f, const cl_image_format *i, size_t w, size_t y,         \
	       size_t p, void *h, cl_int *status))                                                 \
	MAKES(clCreateImage3D, cl_mem, IMAGE_BYTES,                                                \
	      (cl_context c, cl_mem_flags f, const cl_image_format *i, size_t w, size_t y,         \
	       size_t z, size_t p, size_t s, void *h, cl_int *status))                             \
	MAKES(clCreatePipe, cl_mem, IMAGE_BYTES,                                                   \
	      (cl_context c, cl_mem_flags f, cl_uint b, cl_uint n, const cl_pipe_properties *p,    \
	       cl_int *status))                                                                    \
	MAKES(clCreateSampler, cl_sampler, 0,                                                      \
	      (cl_context c, cl_bool n, cl_addressing_mode a, cl_filter_mode f, cl_int *status))   \
	MAKES(clCreateSamplerWithProperties, cl_sampler, 0,                                        \
	      (cl_context c, const cl_sampler_properties *p, cl_int *status))                      \
	MAKES(clCreateProgramWithSource, cl_program, 0,                                            \
	      (cl_context c, cl_uint n, const char **s, const size_t *l, cl_int *status))          \
	MAKES(clCreateProgramWithBinary, cl_program, 0,                                            \
	      (cl_context c, cl_uint n, const cl_device_id *d, const size_t *l,                    \
	       const unsigned char **b, cl_int *each, cl_int *status))                             \
	MAKES(clCreateProgramWithBuiltInKernels, cl_program, 0,                                    \
	      (cl_context c, cl_uint n, const cl_device_id *d, const char *k, cl_int *status))     \
	MAKES(clCreateProgramWithIL, cl_program, 0,                                                \
	      (cl_context c, const void *b, size_t l, cl_int *status))                             \
	MAKES(clLinkProgram, cl_program, 0,                                                        \
	      (cl_context c, cl_uint n, const cl_device_id *d, const char *o, cl_uint m,           \
	       const cl_program *in, void(CL_CALLBACK *f)(cl_program, void *), void *u,            \
	       cl_int *status))                                                                    \
	MAKES(clCreateKernel, cl_kernel, 0, (cl_program p, const char *n, cl_int *status))         \
	MAKES(clCloneKernel, cl_kernel, 0, (cl_kernel k, cl_int *status))                          \
	MAKES(clCreateUserEvent, cl_event, 0, (cl_context c, cl_int *status))                      \
	MAKES(clCreateFromGLBuffer, cl_mem, IMAGE_BYTES,                                           \
	      (cl_context c, cl_mem_flags f, cl_GLuint o, cl_int *status))                         \
	MAKES(clCreateFromGLTexture, cl_mem, IMAGE_BYTES,                                          \
	      (cl_context c, cl_mem_flags f, cl_GLenum t, cl_GLint m, cl_GLuint o,                 \
	       cl_int *status))                                                                    \
	MAKES(clCreateFromGLTexture2D, cl_mem, IMAGE_BYTES,                                        \
	      (cl_context c, cl_mem_flags f, cl_GLenum t, cl_GLint m, cl_GLuint o,                 \
	       cl_int *status))                                                                    \
	MAKES(clCreateFromGLTexture3D, cl_mem, IMAGE_BYTES,                                        \
	      (cl_context c, cl_mem_flags f, cl_GLenum t, cl_GLint m, cl_GLuint o,                 \
	       cl_int *status))                                                                    \
	MAKES(clCreateFromGLRenderbuffer, cl_mem, IMAGE_BYTES,                                     \
	      (cl_context c, cl_mem_flags f, cl_GLuint o, cl_int *status))                         \
	MAKES(clCreateFromEGLImageKHR, cl_mem, IMAGE_BYTES,                                        \
	      (cl_context c, CLeglDisplayKHR d, CLeglImageKHR i, cl_mem_flags f,                   \
	       const cl_egl_image_properties_khr *p, cl_int *status))                              \
	MAKES(clCreateEventFromGLsyncKHR, cl_event, 0,                                             \
	      (cl_context c, cl_GLsync s, cl_int *status))                                         \
	MAKES(clCreateEventFromEGLSyncKHR, cl_event, 0,                                            \
	      (cl_context c, CLeglSyncKHR s, CLeglDisplayKHR d, cl_int *status))

#define X(name, type, bytes, parameters)                                                           \
	static type CL_API_CALL make_##name parameters                                             \
	{                                                                                          \
		return make(bytes, status);                                                        \
	}
MAKERS(X)
#undef X

static cl_int CL_API_CALL create_kernels(cl_program of, cl_uint room, cl_kernel *out, cl_uint *count)
{
	if (count)
		*count = 1;
	if (!out || !room)
		return CL_SUCCESS;

	cl_int status;
	cl_kernel made = make(0, &status);

	if (made)
		out[0] = made;
	return status;
}

/* A command that gives an event at once complete. */
static cl_int command(cl_event *event)
{
	cl_int status = answer(CL_OUT_OF_RESOURCES);

	if (status == CL_SUCCESS && event)
		*event = make(0, &status);
	return status;
}

static cl_int CL_API_CALL write_buffer(cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t n,
				       const void *host, cl_uint c, const cl_event *w, cl_event *event)
{
	return command(event);
}

static cl_int CL_API_CALL read_buffer(cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t n,
				      void *host, cl_uint c, const cl_event *w, cl_event *event)
{
	cl_int status = command(event);

	if (status == CL_SUCCESS)
		memset(host, 7, n);
	return status;
}

static cl_int CL_API_CALL run_kernel(cl_command_queue q, cl_kernel k, cl_uint n, const size_t *o,
				     const size_t *g, const size_t *l, cl_uint c, const cl_event *w,
				     cl_event *event)
{
	return command(event);
}

/* Runs inside of the call, with a copy of the arguments. */
static cl_int CL_API_CALL run_native(cl_command_queue q, void(CL_CALLBACK *function)(void *),
				     void *args, size_t bytes, cl_uint n, const cl_mem *m,
				     const void **where, cl_uint c, const cl_event *w,
				     cl_event *event)
{
	cl_int status = command(event);
	char *copy = args ? malloc(bytes) : NULL;

	if (copy)
		memcpy(copy, args, bytes);
	for (cl_uint i = 0; copy && i < n; i++) {
		struct object *object = (struct object *)m[i];

		memcpy(copy + ((const char *)where[i] - (const char *)args), &object->memory,
		       sizeof(object->memory));
	}
	if (status == CL_SUCCESS)
		function(copy);
	free(copy);
	return status;
}

static cl_int CL_API_CALL marker(cl_command_queue q, cl_uint c, const cl_event *w, cl_event *event)
{
	return command(event);
}

static void *map(cl_mem of, size_t offset, cl_int *status)
{
	cl_int code = answer(CL_MAP_FAILURE);

	if (status)
		*status = code;
	return code == CL_SUCCESS ? ((struct object *)of)->memory + offset : NULL;
}

static void *CL_API_CALL map_buffer(cl_command_queue q, cl_mem m, cl_bool b, cl_map_flags f,
				    size_t offset, size_t n, cl_uint c, const cl_event *w,
				    cl_event *event, cl_int *status)
{
	return map(m, offset, status);
}

static void *CL_API_CALL map_image(cl_command_queue q, cl_mem m, cl_bool b, cl_map_flags f,
				   const size_t *origin, const size_t *region, size_t *row,
				   size_t *slice, cl_uint c, const cl_event *w, cl_event *event,
				   cl_int *status)
{
	*row = 64;
	return map(m, 0, status);
}

static void *CL_API_CALL svm_alloc(cl_context c, cl_svm_mem_flags f, size_t bytes, cl_uint alignment)
{
	return answer(CL_OUT_OF_HOST_MEMORY) == CL_SUCCESS ? calloc(1, bytes) : NULL;
}

static void CL_API_CALL svm_free(cl_context c, void *pointer)
{
	answer(CL_SUCCESS);
	free(pointer);
}

static cl_int CL_API_CALL enqueue_svm_free(cl_command_queue q, cl_uint n, void *pointers[],
					   void(CL_CALLBACK *freed)(cl_command_queue, cl_uint,
								    void *[], void *),
					   void *userdata, cl_uint c, const cl_event *w,
					   cl_event *event)
{
	cl_int status = command(event);

	if (status != CL_SUCCESS)
		return status;
	if (freed)
		freed(q, n, pointers, userdata);
	for (cl_uint i = 0; !freed && i < n; i++)
		free(pointers[i]);
	return status;
}

static cl_int CL_API_CALL set_destructor(cl_mem of, destroyed_fn destroyed, void *userdata)
{
	struct object *object = (struct object *)of;
	cl_int status = answer(CL_OUT_OF_HOST_MEMORY);

	if (status == CL_SUCCESS && !object->destroyed) {
		object->destroyed = destroyed;
		object->userdata = userdata;
	}
	return status;
}

/* May be called back at once, as by a driver whose command had ended. */
static cl_int CL_API_CALL set_event_callback(cl_event of, cl_int type,
					     void(CL_CALLBACK *done)(cl_event, cl_int, void *),
					     void *userdata)
{
	cl_int status = answer(CL_OUT_OF_HOST_MEMORY);

	if (status == CL_SUCCESS)
		done(of, CL_COMPLETE, userdata);
	return status;
}

#define COUNTED(X)                                                                                 \
	X(Context, cl_context)                                                                     \
	X(CommandQueue, cl_command_queue)                                                          \
	X(MemObject, cl_mem)                                                                       \
	X(Sampler, cl_sampler)                                                                     \
	X(Program, cl_program)                                                                     \
	X(Kernel, cl_kernel)                                                                       \
	X(Event, cl_event)

#define X(name, type)                                                                              \
	static cl_int CL_API_CALL retain##name(type of)                                            \
	{                                                                                          \
		cl_int status = answer(CL_OUT_OF_RESOURCES);                                       \
                                                                                                   \
		return status == CL_SUCCESS ? retain_object((struct object *)of) : status;         \
	}                                                                                          \
	static cl_int CL_API_CALL release##name(type of)                                           \
	{                                                                                          \
		cl_int status = answer(CL_OUT_OF_RESOURCES);                                       \
                                                                                                   \
		return status == CL_SUCCESS ? release_object((struct object *)of) : status;        \
	}
COUNTED(X)
#undef X

CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddress(const char *name);

static void *CL_API_CALL get_function(cl_platform_id of, const char *name)
{
	return clGetExtensionFunctionAddress(name);
}

static const cl_icd_dispatch own = {
	.clGetPlatformIDs = get_platforms,
	.clGetPlatformInfo = get_platform_info,
	.clGetDeviceIDs = get_devices,
	.clGetDeviceInfo = get_device_info,
	.clGetContextInfo = get_context_info,
	.clGetMemObjectInfo = get_object_info,
	.clGetEventInfo = get_event_info,
	.clCreateKernelsInProgram = create_kernels,
	.clEnqueueWriteBuffer = write_buffer,
	.clEnqueueReadBuffer = read_buffer,
	.clEnqueueNDRangeKernel = run_kernel,
	.clEnqueueNativeKernel = run_native,
	.clEnqueueMarkerWithWaitList = marker,
	.clEnqueueBarrierWithWaitList = marker,
	.clEnqueueMapBuffer = map_buffer,
	.clEnqueueMapImage = map_image,
	.clSVMAlloc = svm_alloc,
	.clSVMFree = svm_free,
	.clEnqueueSVMFree = enqueue_svm_free,
	.clSetMemObjectDestructorCallback = set_destructor,
	.clSetEventCallback = set_event_callback,
	.clGetExtensionFunctionAddress = clGetExtensionFunctionAddress,
	.clGetExtensionFunctionAddressForPlatform = get_function,
#define X(name, type, bytes, parameters) .name = make_##name,
	MAKERS(X)
#undef X
#define X(name, type) .clRetain##name = retain##name, .clRelease##name = release##name,
	COUNTED(X)
#undef X
};

static unsigned long number_of(const char *name)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 10) : 0;
}

static void fill_table(void)
{
	void *slots[SLOTS], *any = NULL, *none = NULL;

	*(cl_int(CL_API_CALL **)(void)) & any = answer_any;
	*(cl_int(CL_API_CALL **)(void)) & none = get_none;
	memcpy(slots, &own, sizeof(slots));
	for (size_t i = 0; i < SLOTS; i++)
		if (!slots[i])
			slots[i] = any;
	memcpy(&table, slots, sizeof(slots));
	*(void **)&table.clGetSupportedImageFormats = none;
	*(void **)&table.clGetImageInfo = none;
	*(void **)&table.clGetKernelInfo = none;
	*(void **)&table.clGetKernelArgInfo = none;
	*(void **)&table.clGetCommandQueueInfo = none;
	*(void **)&table.clGetEventProfilingInfo = none;
	refuse_each = number_of("SYNTHETIC_REFUSE");
	slow_us = number_of("SYNTHETIC_SLOW");
	reenter = number_of("SYNTHETIC_REENTER") != 0;
}

static cl_int CL_API_CALL icd_platforms(cl_uint room, cl_platform_id *out, cl_uint *count)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, fill_table);
	return get_platforms(room, out, count);
}

/* What ICD loaders ask a driver's library for. */
#pragma GCC visibility push(default)
CL_API_ENTRY void *CL_API_CALL clGetExtensionFunctionAddress(const char *name)
{
	void *function = NULL;

	if (strcmp(name, "clIcdGetPlatformIDsKHR") == 0)
		*(cl_int(CL_API_CALL **)(cl_uint, cl_platform_id *, cl_uint *)) & function =
			icd_platforms;
	return function;
}

CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *out,
						       cl_uint *count)
{
	return icd_platforms(room, out, count);
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id of, cl_platform_info query,
						  size_t room, void *out, size_t *needed)
{
	return get_platform_info(of, query, room, out, needed);
}
