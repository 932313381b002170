/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file
 * Token planning: what graph runtimes do today instead of planning offsets, to compare with.
 *
 * A *token* is a storage of its own. What a graph needs takes a free token that is near
 * enough in size, which grows when it is too small, or else a new one; and gives it back after
 * its last use. No token is ever split, so the result is seldom the least; berth_plan_create()
 * is not larger but for rounding.
 *
 * Two rules, both as TVM has them:
 *
 * - *by bytes* (its graph executor since 2025, and Relax): buffers and textures share
 *   tokens, by their padded bytes. The smallest free token of at least the size and at most
 *   16 times it; else the largest smaller one of at least a 16th, which grows.
 * - *by sides* (its texture pool before): a token has a width and a height. A free token whose
 *   sides are within a factor of 5; least growth first, then least waste, an axis at a time.
 *   It grows to the larger of both on each axis, when the growth is at most the wish on one
 *   of them.
 *
 * Tokens of different groups never serve each other: groups stand for element types, memory
 * scopes or devices, whatever a runtime keeps apart.
 *
 * Threads: calls on one object are serialised by the caller.
 */
#ifndef BERTH_TOKEN_PLAN_H
#define BERTH_TOKEN_PLAN_H

#include <berth/plan.h>

BERTH_BEGIN_DECLS

typedef struct berth_tokens berth_tokens;

typedef enum berth_token_rule {
	BERTH_TOKENS_BY_BYTES = 0,
	BERTH_TOKENS_BY_SIDES = 1,
} berth_token_rule;

/** Options. Start from BERTH_TOKEN_OPTIONS_INIT. */
typedef struct berth_token_options {
	uint32_t size; /**< sizeof(berth_token_options) */
	berth_token_rule rule;
	/** How many times larger or smaller a token may be; 0: 16 by bytes, 5 by sides. */
	uint32_t ratio;
} berth_token_options;

#define BERTH_TOKEN_OPTIONS_INIT                                                                   \
	{                                                                                          \
		sizeof(berth_token_options), BERTH_TOKENS_BY_BYTES, 0                              \
	}

/** What is needed now. */
typedef struct berth_token_wish {
	uint64_t bytes;		/**< by bytes */
	uint64_t width, height; /**< by sides, in texels */
	uint32_t element_bytes; /**< by sides: of a texel */
	uint32_t group;
} berth_token_wish;

/** A token as it stands. */
typedef struct berth_token {
	uint64_t bytes; /**< by sides: width x height x element_bytes */
	uint64_t width, height;
	uint32_t group;
	bool free;
} berth_token;

/**
 * @param[out] out  owned by the caller (berth_tokens_destroy())
 * @param options   NULL: the defaults
 * @retval BERTH_OK
 * @retval BERTH_E_INVAL  not a rule
 * @retval BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_tokens_create(berth_tokens **out,
							    const berth_token_options *options);

/** NULL is fine. */
BERTH_API void berth_tokens_destroy(berth_tokens *tokens);

/**
 * Take a token.
 * @param[out] out  its number, from 0 in the order of their making
 * @retval BERTH_OK
 * @retval BERTH_E_OVERFLOW  by sides: the bytes do not fit 64 bits; nothing changed
 * @retval BERTH_E_NOMEM     nothing changed
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_tokens_take(uint32_t *out, berth_tokens *tokens,
							  const berth_token_wish *wish);

/**
 * Give a token back.
 * @retval BERTH_OK
 * @retval BERTH_E_STATE  no such token, or it is free
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_tokens_give_back(berth_tokens *tokens,
							       uint32_t token);

/** @return how many tokens there are, free ones included; their bytes are the memory needed. */
BERTH_API uint32_t berth_tokens_count(const berth_tokens *tokens);
BERTH_API uint32_t berth_tokens_free_count(const berth_tokens *tokens);

/** @return a token below berth_tokens_count(); borrowed until the next call that changes. */
BERTH_API const berth_token *berth_tokens_get(const berth_tokens *tokens, uint32_t token);

/** A plan by tokens. Owned by the caller of berth_token_plan_create(). */
typedef struct berth_token_plan {
	size_t place_count;
	berth_plan_place *places; /**< one a request: its token as arena, offset 0 */
	uint32_t token_count;
	uint64_t *token_bytes;
	uint64_t total_bytes;
} berth_token_plan;

/**
 * Plan by tokens, by bytes: requests in order of their begin, then of their index; what ends at
 * a moment is given back before what begins there takes. Alignments hold, as each token is a
 * buffer of its own. A request in place of another has its token. What lives for the whole run
 * has a token of its own.
 *
 * @retval BERTH_OK  berth_plan_check() accepts places and token_bytes for this input
 * @retval BERTH_E_INVAL        upper <= lower, or an index out of range; the detail names it
 * @retval BERTH_E_UNSUPPORTED  the input has conflicts instead of lifetimes, or a pinned request
 * @retval BERTH_E_LIMIT        a request above max_arena_bytes, or the total above max_total_bytes
 * @retval BERTH_E_OVERFLOW     the total does not fit 64 bits
 * @retval BERTH_E_NOMEM
 */
BERTH_API BERTH_MUST_CHECK berth_status berth_token_plan_create(berth_token_plan **out,
								const berth_plan_input *input);

/** NULL is fine. */
BERTH_API void berth_token_plan_destroy(berth_token_plan *plan);

BERTH_END_DECLS

#endif
