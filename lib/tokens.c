/* SPDX-License-Identifier: Apache-2.0 */
/* Tokens: storages that are taken and given back whole. */
#include <berth/token_plan.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define RATIO_BY_BYTES 16u
#define RATIO_BY_SIDES 5u

#define NO_TOKEN UINT32_MAX

struct berth_tokens {
	berth_token_rule rule;
	uint32_t ratio;
	uint32_t count, capacity;
	berth_token *tokens;
	/*
	 * Numbers of free tokens, room for all of them. By bytes: ordered by group, bytes, and
	 * when they came. By sides: in the order in which they came.
	 */
	uint32_t *free_list;
	uint32_t free_count;
};

berth_status berth_tokens_create(berth_tokens **out, const berth_token_options *options)
{
	static const berth_token_options defaults = BERTH_TOKEN_OPTIONS_INIT;
	berth_tokens *tokens;
	uint32_t usual;

	if (!options)
		options = &defaults;
	if (options->rule != BERTH_TOKENS_BY_BYTES && options->rule != BERTH_TOKENS_BY_SIDES)
		return berth_error_set(BERTH_E_INVAL, 0, "token rule %d is not defined",
				       (int)options->rule);
	tokens = calloc(1, sizeof(*tokens));
	if (!tokens)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for tokens");
	usual = options->rule == BERTH_TOKENS_BY_BYTES ? RATIO_BY_BYTES : RATIO_BY_SIDES;
	tokens->rule = options->rule;
	tokens->ratio = options->ratio ? options->ratio : usual;
	*out = tokens;
	return BERTH_OK;
}

void berth_tokens_destroy(berth_tokens *tokens)
{
	if (!tokens)
		return;
	free(tokens->tokens);
	free(tokens->free_list);
	free(tokens);
}

uint32_t berth_tokens_count(const berth_tokens *tokens)
{
	return tokens->count;
}

uint32_t berth_tokens_free_count(const berth_tokens *tokens)
{
	return tokens->free_count;
}

const berth_token *berth_tokens_get(const berth_tokens *tokens, uint32_t token)
{
	return &tokens->tokens[token];
}

/* ---- by bytes ---- */

static const berth_token *free_token(const berth_tokens *tokens, uint32_t at)
{
	return &tokens->tokens[tokens->free_list[at]];
}

/* The first free token that is not before (group, bytes); after it when equal and @behind. */
static uint32_t free_bound(const berth_tokens *tokens, uint32_t group, uint64_t bytes, bool behind)
{
	uint32_t low = 0, high = tokens->free_count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const berth_token *token = free_token(tokens, middle);
		bool equal = token->group == group && token->bytes == bytes;
		bool before =
			token->group < group || (token->group == group && token->bytes < bytes);

		if (before || (equal && behind))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The place in the free list of the token that serves, or NO_TOKEN. */
static uint32_t find_by_bytes(const berth_tokens *tokens, const berth_token_wish *wish)
{
	uint32_t at = free_bound(tokens, wish->group, wish->bytes, false);
	uint64_t largest;

	if (__builtin_mul_overflow(wish->bytes, tokens->ratio, &largest))
		largest = UINT64_MAX;
	if (at < tokens->free_count && free_token(tokens, at)->group == wish->group &&
	    free_token(tokens, at)->bytes <= largest)
		return at;
	if (at > 0 && free_token(tokens, at - 1)->group == wish->group &&
	    free_token(tokens, at - 1)->bytes >= wish->bytes / tokens->ratio)
		return at - 1;
	return NO_TOKEN;
}

/* ---- by sides ---- */

static uint64_t larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Growth and waste of a token that serves a wish, by axis: width, height. */
struct stretch {
	uint64_t added[2], wasted[2];
};

static bool side_is_near(uint64_t side, uint64_t wish, uint32_t ratio)
{
	return side > 0 && wish > 0 && side / wish <= ratio && wish / side <= ratio;
}

static bool is_better(const struct stretch *stretch, const struct stretch *best)
{
	for (int axis = 0; axis < 2; axis++)
		if (best->added[axis] > 0 && stretch->added[axis] < best->added[axis])
			return true;
	for (int axis = 0; axis < 2; axis++)
		if (stretch->added[axis] == best->added[axis] &&
		    stretch->wasted[axis] < best->wasted[axis])
			return true;
	return false;
}

static uint32_t find_by_sides(const berth_tokens *tokens, const berth_token_wish *wish)
{
	struct stretch best = { { UINT64_MAX, UINT64_MAX }, { UINT64_MAX, UINT64_MAX } };
	uint32_t found = NO_TOKEN;

	for (uint32_t at = 0; at < tokens->free_count; at++) {
		const berth_token *token = free_token(tokens, at);
		uint64_t width = larger(token->width, wish->width);
		uint64_t height = larger(token->height, wish->height);
		const struct stretch stretch = {
			{ width - token->width, height - token->height },
			{ width - wish->width, height - wish->height },
		};

		if (token->group != wish->group ||
		    !side_is_near(token->width, wish->width, tokens->ratio) ||
		    !side_is_near(token->height, wish->height, tokens->ratio) ||
		    !is_better(&stretch, &best))
			continue;
		best = stretch;
		found = at;
	}
	if (best.added[0] > wish->width && best.added[1] > wish->height)
		return NO_TOKEN;
	return found;
}

/* ---- both ---- */

/* What a token is when it serves the wish as well. */
static berth_status grow(berth_token *token, const berth_tokens *tokens,
			 const berth_token_wish *wish)
{
	uint64_t pixels;

	token->group = wish->group;
	token->free = false;
	if (tokens->rule == BERTH_TOKENS_BY_BYTES) {
		token->bytes = larger(token->bytes, wish->bytes);
		return BERTH_OK;
	}
	token->width = larger(token->width, wish->width);
	token->height = larger(token->height, wish->height);
	if (__builtin_mul_overflow(token->width, token->height, &pixels) ||
	    __builtin_mul_overflow(pixels, wish->element_bytes, &token->bytes))
		return berth_error_set(BERTH_E_OVERFLOW, 0,
				       "a token of %" PRIu64 " x %" PRIu64
				       " texels does not fit 64 bits",
				       token->width, token->height);
	return BERTH_OK;
}

/* Room for one more token, in both arrays. */
static berth_status reserve(berth_tokens *tokens)
{
	uint32_t capacity = tokens->capacity ? tokens->capacity * 2 : 16;
	berth_token *grown;
	uint32_t *free_list;

	if (tokens->count < tokens->capacity)
		return BERTH_OK;
	grown = capacity < NO_TOKEN / 2 ? reallocarray(tokens->tokens, capacity, sizeof(*grown))
					: NULL;
	if (grown)
		tokens->tokens = grown;
	free_list = grown ? reallocarray(tokens->free_list, capacity, sizeof(*free_list)) : NULL;
	if (!free_list)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for %" PRIu32 " tokens",
				       capacity);
	tokens->free_list = free_list;
	tokens->capacity = capacity;
	return BERTH_OK;
}

static berth_status make(uint32_t *out, berth_tokens *tokens, const berth_token_wish *wish)
{
	berth_token token = { 0 };
	berth_status st = grow(&token, tokens, wish);

	if (st == BERTH_OK)
		st = reserve(tokens);
	if (st != BERTH_OK)
		return st;
	tokens->tokens[tokens->count] = token;
	*out = tokens->count++;
	return BERTH_OK;
}

berth_status berth_tokens_take(uint32_t *out, berth_tokens *tokens, const berth_token_wish *wish)
{
	uint32_t at = tokens->rule == BERTH_TOKENS_BY_BYTES ? find_by_bytes(tokens, wish)
							    : find_by_sides(tokens, wish);
	berth_token token;
	berth_status st;
	uint32_t number;

	if (at == NO_TOKEN)
		return make(out, tokens, wish);
	number = tokens->free_list[at];
	token = tokens->tokens[number];
	st = grow(&token, tokens, wish);
	if (st != BERTH_OK)
		return st;
	tokens->free_count--;
	memmove(&tokens->free_list[at], &tokens->free_list[at + 1],
		(tokens->free_count - at) * sizeof(*tokens->free_list));
	tokens->tokens[number] = token;
	*out = number;
	return BERTH_OK;
}

berth_status berth_tokens_give_back(berth_tokens *tokens, uint32_t token)
{
	uint32_t at = tokens->free_count;
	berth_token *given;

	if (token >= tokens->count)
		return berth_error_set(BERTH_E_STATE, 0, "token %" PRIu32 " of %" PRIu32, token,
				       tokens->count);
	given = &tokens->tokens[token];
	if (given->free)
		return berth_error_set(BERTH_E_STATE, 0, "token %" PRIu32 " is free already",
				       token);
	if (tokens->rule == BERTH_TOKENS_BY_BYTES)
		at = free_bound(tokens, given->group, given->bytes, true);
	memmove(&tokens->free_list[at + 1], &tokens->free_list[at],
		(tokens->free_count - at) * sizeof(*tokens->free_list));
	tokens->free_list[at] = token;
	tokens->free_count++;
	given->free = true;
	return BERTH_OK;
}
