/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host memory for a replay. A trace holds digests of what the program passed, not
 * the bytes, so bytes made from the op's number stand in for them: the same in
 * every replay, others for the next op.
 */
#ifndef BERTH_REPLAY_STAND_IN_H
#define BERTH_REPLAY_STAND_IN_H

#include <berth/status.h>

struct berth__stand_in {
	uint8_t *source; /* stand-in bytes; what is there never changes */
	uint64_t source_bytes;
	void *sink; /* for reads; overwritten by each */
	uint64_t sink_bytes;
};

/* Frees what the other functions took. */
void berth__stand_in_fini(struct berth__stand_in *stand_in);

/*
 * Bytes to write: at least @bytes of them, which differ from op to op.
 * Valid until the next call on @stand_in.
 */
berth_status berth__stand_in_source(struct berth__stand_in *stand_in, uint64_t seq, uint64_t bytes,
				    void **out);

/* Room to read into, at least @bytes. Valid until the next call on @stand_in. */
berth_status berth__stand_in_sink(struct berth__stand_in *stand_in, uint64_t bytes, void **out);

/*
 * Memory of its own for an object with CL_MEM_USE_HOST_PTR, filled with the op's
 * bytes and aligned within a page as the program's memory was: drivers take
 * another path for aligned memory.
 * @block  to be freed with free(); @host lies in it
 */
berth_status berth__stand_in_keep(struct berth__stand_in *stand_in, uint64_t seq, uint64_t bytes,
				  uint64_t recorded_address, void **block, void **host);

/*
 * The colour of an image fill: components that every channel type holds exactly,
 * so that drivers cannot round them differently.
 */
void berth__stand_in_colour(uint32_t colour[4], uint64_t seq, uint32_t channel_type);

#endif
