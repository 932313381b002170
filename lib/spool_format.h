/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The spool: what a recorded process and the recorder share, a file that both
 * map. Written by layer/, read by replay/; this header is all they have in
 * common. Not installed, not stable: both sides come from one build, and the
 * version below tells apart what does not.
 *
 * A spool directory has one series of segments a process: PID-START.N.spool,
 * START = CLOCK_MONOTONIC in ns, as hex, when the process opened its spool (exec
 * keeps the pid and the start time, so neither would do), N from 0. A segment is
 * a header and a ring of records; it gets its name when it is complete, and is
 * called PID-START.N.spool.new before. The writer goes round in it; when the
 * reader is behind for too long, or gone, the writer opens segment N+1, larger,
 * sets `next` in segment N last of all, and never returns. A reader drains a
 * segment up to `head`, then follows `next`.
 *
 * A record counts once `head` is past it: that store (release) is the commit
 * marker. What a writer was doing when it was killed is behind `head` and does
 * not exist. What a *call* was doing stands in a pending slot: the op is built
 * there before the driver is called, and copied to the ring with the answer
 * after it, so a call that never returned is still known (a crash in the
 * driver is the most interesting op of all). A slot of segment N may be in a call
 * that ends long after segment N+1 was opened: the segment is needed until none is.
 */
#ifndef BERTH_LIB_SPOOL_FORMAT_H
#define BERTH_LIB_SPOOL_FORMAT_H

#include <stdint.h>

#define BERTH_SPOOL_MAGIC UINT64_C(0x314c4f4f50535242) /* "BRSPOOL1", little endian */
#define BERTH_SPOOL_VERSION 2u
#define BERTH_SPOOL_SUFFIX ".spool"
#define BERTH_SPOOL_UNFINISHED_SUFFIX ".new"
/* PID-START.failed: the process could make no spool; a symbolic link to the reason, as text. */
#define BERTH_SPOOL_FAILED_SUFFIX ".failed"

#define BERTH_SPOOL_PENDING_SLOTS 64
#define BERTH_SPOOL_UNTRACKED_MAX 512

/* Record types. Values are part of the format. */
enum berth_spool_type {
	BERTH_SPOOL_PAD = 1,	 /* skip to the ring's start */
	BERTH_SPOOL_PROCESS = 2, /* struct berth_spool_process; first record of segment 0 */
	BERTH_SPOOL_DEVICE = 3,	 /* struct berth_spool_device; before the first op that names it */
	BERTH_SPOOL_QUEUE = 4,	 /* struct berth_spool_queue; likewise */
	BERTH_SPOOL_NAME = 5,	 /* struct berth_spool_name; likewise */
	BERTH_SPOOL_UNTRACKED = 6, /* struct berth_spool_untracked; names a counter */
	BERTH_SPOOL_OP = 7,	   /* struct berth_spool_op and its parts */
	BERTH_SPOOL_DIGEST = 8,	   /* struct berth_spool_digest; of an op that came before */
	BERTH_SPOOL_PAYLOAD = 9,   /* struct berth_spool_payload; before the op that has it */
	BERTH_SPOOL_TIME = 10,	   /* struct berth_spool_time; after the op that gave the event */
	BERTH_SPOOL_STACK = 11,	   /* struct berth_spool_stack; before the first op that names it */
	BERTH_SPOOL_MODULE = 12,   /* struct berth_spool_module; before the stacks that lie in it */
};

/* Every record begins so. `bytes` includes this and is a multiple of 8. */
struct berth_spool_record {
	uint32_t bytes;
	uint16_t type;
	uint16_t reserved;
};

/* Strings follow, each with its NUL, padded to 8 together: exe path, cwd, argv[0..argc-1]. */
struct berth_spool_process {
	struct berth_spool_record record;
	uint32_t pid;
	uint32_t parent_pid;
	/* 1: made by fork in a recorded process; its older objects are not known */
	uint32_t forked;
	uint32_t argc;
	uint64_t realtime_ns; /* CLOCK_REALTIME and CLOCK_MONOTONIC at the same moment */
	uint64_t monotonic_ns;
};

/* berth_caps follows, as it is in memory (both sides are one build). */
struct berth_spool_device {
	struct berth_spool_record record;
	uint32_t device; /* id, from 1 */
	uint32_t caps_bytes;
};

struct berth_spool_queue {
	struct berth_spool_record record;
	uint32_t queue;	  /* id, from 1 */
	uint32_t context; /* id, from 1 */
	uint32_t device;
	uint32_t reserved;
	uint64_t properties; /* cl_command_queue_properties */
};

/* The text follows with its NUL, padded to 8. */
struct berth_spool_name {
	struct berth_spool_record record;
	uint32_t name; /* id, from 1 */
	uint32_t text_bytes;
};

/* The name follows with its NUL, padded to 8. Its count is header.untracked[index]. */
struct berth_spool_untracked {
	struct berth_spool_record record;
	uint32_t index;
	uint32_t text_bytes;
};

/* Content that was seen later than its op was recorded: of a read or map that does not block. */
struct berth_spool_digest {
	struct berth_spool_record record;
	uint64_t transfer; /* berth_spool_op.mapping of an op with BERTH_SPOOL_OP_DIGEST_LATER */
	uint8_t digest[16];
};

/* The bytes follow, padded to 8: a piece of some content. */
struct berth_spool_payload {
	struct berth_spool_record record;
	uint8_t digest[16]; /* of the whole content */
	uint64_t offset_bytes;
	uint32_t piece_bytes;
	uint32_t reserved;
};

/* When a command ran, by the device's clock (CL_PROFILING_COMMAND_*). */
struct berth_spool_time {
	struct berth_spool_record record;
	uint64_t event;
	uint64_t queued_ns, submitted_ns, started_ns, ended_ns;
};

/* The return addresses follow, innermost first, 8 bytes each. */
struct berth_spool_stack {
	struct berth_spool_record record;
	uint32_t stack; /* id, from 1 */
	uint32_t frame_count;
};

/* A file mapped to be run. Its path follows with its NUL, padded to 8. */
struct berth_spool_module {
	struct berth_spool_record record;
	uint64_t start, end;  /* addresses of all of its segments */
	uint64_t bias;	      /* added to the addresses in the file */
	uint8_t build_id[32]; /* the first build_id_bytes of them */
	uint32_t build_id_bytes;
	uint32_t path_bytes;
};

/* Parts behind a berth_spool_op, in this order, each padded to 8. */
enum {
	BERTH_SPOOL_PART_REGION = 1u << 0, /* berth_region */
	BERTH_SPOOL_PART_IMAGE = 1u << 1,  /* berth_image */
	BERTH_SPOOL_PART_RESULT = 1u << 2, /* struct berth_spool_result */
	BERTH_SPOOL_PART_DIGEST = 1u << 3, /* 16 bytes: XXH3-128, canonical form */
	BERTH_SPOOL_PART_USES = 1u << 4,   /* berth_object_use[use_count] */
	/* uint64_t[event_count]: the event that the command gave (0: none), those it waits for */
	BERTH_SPOOL_PART_EVENTS = 1u << 5,
};

/* More events than this of one op are not recorded. */
#define BERTH_SPOOL_EVENTS_MAX 256

/* In berth_spool_op.bits, beside BERTH_OP_*: its digest follows in a record of its own. */
#define BERTH_SPOOL_OP_DIGEST_LATER (1u << 15)
/* Likewise: the call found its events complete, and does not just wait for them. */
#define BERTH_SPOOL_OP_EVENTS_COMPLETE (1u << 14)

/* flags, other_offset_bytes and pattern_bytes are those of op_fold.h. */
struct berth_spool_op {
	struct berth_spool_record record;
	uint8_t kind;	 /* berth_op_kind */
	uint8_t form;	 /* berth_op_form */
	uint16_t parts;	 /* BERTH_SPOOL_PART_*; 0 while pending */
	uint16_t bits;	 /* BERTH_OP_* */
	uint16_t absent; /* BERTH_ABSENT_* */
	int32_t cl_status;
	uint32_t thread; /* gettid() */
	uint32_t context;
	uint32_t queue;
	uint32_t name;
	uint32_t use_count;
	uint32_t stack; /* 0: none */
	uint32_t event_count;
	uint64_t t_ns; /* CLOCK_MONOTONIC when the call began */
	uint64_t duration_ns;
	uint64_t object;
	uint64_t other;
	uint64_t mapping;
	uint64_t flags;
	uint64_t offset_bytes;
	uint64_t other_offset_bytes;
	uint64_t bytes;
	uint64_t pattern_bytes;
	uint64_t host_address;
};

struct berth_spool_result {
	uint64_t bytes; /* CL_MEM_SIZE */
	uint64_t row_pitch_bytes;
	uint64_t slice_pitch_bytes;
};

/* A call that may be in the driver now. Only its thread writes it. */
struct berth_spool_pending {
	/* 1 from the call's begin; 0 just before `head` passes its record */
	_Atomic uint32_t in_call;
	uint32_t reserved;
	struct berth_spool_op op; /* cl_status and duration_ns not set yet */
};

struct berth_spool_header {
	uint64_t magic;
	uint32_t version;
	uint32_t header_bytes; /* where the ring begins; page-aligned */
	uint64_t ring_bytes;   /* a power of two */
	uint32_t pid;
	uint32_t segment;
	uint32_t caps_bytes;	      /* sizeof(berth_caps): refuses a spool of another build */
	uint32_t op_bytes;	      /* sizeof(struct berth_spool_op) */
	_Atomic uint32_t next;	      /* the segment that follows; 0: none yet */
	_Atomic uint32_t closed;      /* 1: the process ended in order, no more records */
	uint64_t process_start_ticks; /* field 22 of /proc/PID/stat: tells a reused pid apart */
	/*
	 * `lost` and `untracked` count since the process began: the newest segment of a
	 * series has the totals.
	 */
	_Atomic uint64_t lost; /* records dropped: no room could be had */
	/* Writer's and reader's lines apart, so that they do not fight over one. */
	_Alignas(64) _Atomic uint64_t head; /* bytes committed since the segment began */
	_Alignas(64) _Atomic uint64_t tail; /* bytes consumed; only the reader stores */
	_Atomic uint32_t reader_pid;	    /* 0: none; the writer does not wait for a dead one */
	_Atomic uint32_t stopped;	    /* 1: the reader wants no more records */
	_Alignas(64) _Atomic uint32_t untracked[BERTH_SPOOL_UNTRACKED_MAX];
	struct berth_spool_pending pending[BERTH_SPOOL_PENDING_SLOTS];
};

/* Where the ring of a fresh segment begins: the header, to whole pages. */
#define BERTH_SPOOL_HEADER_BYTES                                                                   \
	((uint32_t)((sizeof(struct berth_spool_header) + 4095u) / 4096u * 4096u))

#endif
