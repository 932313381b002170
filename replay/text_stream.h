/* SPDX-License-Identifier: Apache-2.0 */
/* A stream whose text stays in memory, and which says so when there is too little. */
#ifndef BERTH_REPLAY_TEXT_STREAM_H
#define BERTH_REPLAY_TEXT_STREAM_H

#include <stdio.h>

#include <berth/status.h>

struct berth__text_stream {
	FILE *stream;
	char *text;
	size_t bytes, capacity;
};

/* BERTH_OK, BERTH_E_NOMEM; what follows is to end with the next function. Does not move. */
BERTH_MUST_CHECK berth_status berth__text_stream_begin(struct berth__text_stream *text);

/*
 * Close it. With BERTH_OK as @st, and all of it there, *out is the text: free(). Else the
 * text is freed, and the status is @st or BERTH_E_NOMEM.
 */
BERTH_MUST_CHECK berth_status berth__text_stream_end(char **out, struct berth__text_stream *text,
						     berth_status st);

#endif
