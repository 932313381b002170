/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * The recorder: a device that passes ops on to an inner one, and appends each with its
 * answer to a trace (doc/trace-format.md).
 *
 * What a runtime does on any stack of devices can so be shown, replayed and planned as a
 * recorded program can, labels included: decisions that a library writes as label ops, as
 * tensors do when they evict (tensor.h), stand in the trace among the ops that they caused.
 *
 * Content: digests are those of linear writes, reads and fills, and of buffers made with
 * CL_MEM_COPY_HOST_PTR, where the op brought its bytes.
 *
 * A trace that cannot be written does not change what the device answers: recording stops,
 * and berth_recorder_finish() says why.
 *
 * Threads: calls on one recorder are serialised by the caller (device.h).
 */
#ifndef BERTH_RECORDER_H
#define BERTH_RECORDER_H

#include <berth/device.h>

BERTH_BEGIN_DECLS

/**
 * Make a recorder; its capabilities are the inner device's, its name "recorder:" and the
 * inner device's.
 * @param inner    taken over: destroyed with the recorder
 * @param path     of the trace; what is there is replaced
 * @param program  what the trace says made it, as argv[0]; NULL: "berth"
 * @retval BERTH_OK
 * @retval BERTH_E_IO     the file cannot be made; @p inner is not taken over
 * @retval BERTH_E_NOMEM  likewise
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_recorder_create(berth_device **out,
							      berth_device *inner,
							      const char *path,
							      const char *program);

/**
 * Complete the trace: it is one file afterwards. Later ops are passed on, and not recorded.
 * Destroying a recorder does the same, and drops what this function would return.
 * @retval BERTH_OK        also when it was finished before
 * @retval BERTH_E_INVAL   not a recorder
 * @retval BERTH_E_IO      an op could not be written, the disk being full or the like: the
 *                         file holds those of the batches before it, and is not finished
 * @retval BERTH_E_NOMEM   likewise
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_recorder_finish(berth_device *recorder);

/** @return how many ops were recorded; 0 when @p recorder is none. */
BERTH_API uint64_t berth_recorder_op_count(const berth_device *recorder);

BERTH_END_DECLS

#endif
