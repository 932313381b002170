/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a fault specification: "nth=5:buffer_create,rate=0.01:seed=7". */
#include "fault_spec.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer than any word of a specification. */
#define WORD_BYTES 64

/* One "name=value" or "value" between separators. */
struct word {
	char text[WORD_BYTES];
	size_t place; /* of its first character, from 1 */
};

static berth_status wrong(const struct word *word, const char *allowed)
{
	return berth_error_set(BERTH_E_INVAL, 0, "faults, character %zu: '%s': allowed is %s",
			       word->place, word->text, allowed);
}

/* Decimal digits and nothing behind them. */
static bool parse_whole(uint64_t *out, const char *text)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	errno = 0;
	*out = strtoull(text, &end, 10);
	return errno == 0 && *end == '\0';
}

static berth_status set_op_number(berth_fault *fault, const struct word *word, const char *value)
{
	if (!parse_whole(&fault->number, value) || fault->number == 0)
		return wrong(word, "the number of an op, from 1");
	return BERTH_OK;
}

static berth_status set_rate(berth_fault *fault, const struct word *word, const char *value)
{
	char *end;

	/* No "nan", "inf" or sign: strtod() takes more than a probability. */
	fault->rate = isdigit((unsigned char)*value) ? strtod(value, &end) : -1;
	if (!(fault->rate >= 0 && fault->rate <= 1) || *end)
		return wrong(word, "a probability from 0 to 1");
	fault->seed = 1;
	return BERTH_OK;
}

static berth_status set_budget(berth_fault *fault, const struct word *word, const char *value)
{
	static const struct {
		const char *name;
		unsigned shift;
	} units[] = { { "", 0 },     { "K", 10 },   { "M", 20 },  { "G", 30 },
		      { "KiB", 10 }, { "MiB", 20 }, { "GiB", 30 } };
	char digits[WORD_BYTES];
	size_t length = strspn(value, "0123456789");
	uint64_t number;

	snprintf(digits, sizeof(digits), "%.*s", (int)length, value);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(units[i].name, value + length) == 0 && parse_whole(&number, digits) &&
		    !__builtin_mul_overflow(number, UINT64_C(1) << units[i].shift, &fault->number))
			return BERTH_OK;
	return wrong(word, "a size, as 4096, 64K, 64KiB, 512M or 2G");
}

static const struct {
	const char *name;
	berth_fault_kind kind;
	berth_status (*set)(berth_fault *fault, const struct word *word, const char *value);
} kinds[] = {
	{ "nth=", BERTH_FAULT_NTH, set_op_number },
	{ "rate=", BERTH_FAULT_RATE, set_rate },
	{ "budget=", BERTH_FAULT_BUDGET, set_budget },
	{ "lost=", BERTH_FAULT_LOST, set_op_number },
};

static berth_status set_kind(berth_fault *fault, const struct word *word)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		size_t length = strlen(kinds[i].name);

		if (strncmp(word->text, kinds[i].name, length) != 0)
			continue;
		fault->kind = kinds[i].kind;
		return kinds[i].set(fault, word, word->text + length);
	}
	return wrong(word, "nth=N, rate=R, budget=SIZE or lost=N");
}

/* What may stand behind the kind: a seed, a kind of op, a code. */
static berth_status set_detail(berth_fault *fault, const struct word *word)
{
	bool takes_kinds = fault->kind == BERTH_FAULT_NTH || fault->kind == BERTH_FAULT_RATE;
	berth_op_kind kind;

	if (fault->kind == BERTH_FAULT_RATE && strncmp(word->text, "seed=", 5) == 0)
		return parse_whole(&fault->seed, word->text + 5)
			       ? BERTH_OK
			       : wrong(word, "a seed, a whole number");
	if (berth_cl_status_parse(&fault->code, word->text) == BERTH_OK && fault->code != 0)
		return BERTH_OK;
	if (takes_kinds && berth_op_kind_parse(&kind, word->text) == BERTH_OK) {
		fault->kinds |= 1u << kind;
		return BERTH_OK;
	}
	if (fault->kind == BERTH_FAULT_RATE)
		return wrong(word, "seed=N, a kind of op, as buffer_create, or an OpenCL code");
	return wrong(word, takes_kinds ? "a kind of op, as buffer_create, or an OpenCL code"
				       : "an OpenCL code, as CL_OUT_OF_RESOURCES");
}

/* The word at @at; it ends at ',' or ':' or with the text. */
static berth_status read_word(struct word *out, const char *text, size_t at)
{
	size_t length = strcspn(text + at, ",:");

	out->place = at + 1;
	snprintf(out->text, sizeof(out->text), "%.*s",
		 (int)(length < WORD_BYTES ? length : WORD_BYTES - 1), text + at);
	if (length >= WORD_BYTES)
		return wrong(out, "a word of up to 63 characters");
	return BERTH_OK;
}

/* One fault from @at on, which is moved to its end. */
static berth_status read_fault(berth_fault *out, const char *text, size_t *at)
{
	berth_fault fault = { 0 };
	struct word word;
	berth_status st = read_word(&word, text, *at);

	if (st == BERTH_OK)
		st = set_kind(&fault, &word);
	while (st == BERTH_OK) {
		*at += strlen(word.text);
		if (text[*at] != ':')
			break;
		st = read_word(&word, text, ++*at);
		if (st == BERTH_OK)
			st = set_detail(&fault, &word);
	}
	if (st == BERTH_OK)
		*out = fault;
	return st;
}

berth_status berth_fault_parse(berth_fault_spec *out, const char *text)
{
	berth_fault_spec spec = { 0 };
	size_t at = 0;
	berth_status st;

	if (*text) {
		do {
			if (spec.count == BERTH_FAULTS_MAX)
				return berth_error_set(BERTH_E_INVAL, 0,
						       "faults, character %zu: more than %d faults",
						       at + 1, BERTH_FAULTS_MAX);
			st = read_fault(&spec.faults[spec.count], text, &at);
			if (st != BERTH_OK)
				return st;
			spec.count++;
		} while (text[at++] == ',');
	}
	*out = spec;
	return BERTH_OK;
}

static berth_status wrong_fault(uint32_t index, const char *what, const char *allowed)
{
	return berth_error_set(BERTH_E_INVAL, 0, "fault %" PRIu32 ": %s: allowed is %s", index + 1,
			       what, allowed);
}

static berth_status check_fault(const berth_fault *fault, uint32_t index)
{
	bool counts_ops = fault->kind == BERTH_FAULT_NTH || fault->kind == BERTH_FAULT_LOST;

	if ((unsigned)fault->kind > BERTH_FAULT_LOST)
		return wrong_fault(index, "the kind is not known", "a berth_fault_kind");
	if (fault->kind == BERTH_FAULT_RATE && !(fault->rate >= 0 && fault->rate <= 1))
		return wrong_fault(index, "the rate is no probability", "0 to 1");
	if (counts_ops && fault->number == 0)
		return wrong_fault(index, "op 0", "1 or more");
	if (fault->kinds & ~(uint32_t)BERTH_OP_KINDS)
		return wrong_fault(index, "a kind of op is not known", "bits of berth_op_kind");
	return BERTH_OK;
}

berth_status berth__fault_check(const berth_fault_spec *spec)
{
	if (spec->count > BERTH_FAULTS_MAX)
		return berth_error_set(BERTH_E_INVAL, 0, "%" PRIu32 " faults: allowed are up to %d",
				       spec->count, BERTH_FAULTS_MAX);
	for (uint32_t i = 0; i < spec->count; i++) {
		berth_status st = check_fault(&spec->faults[i], i);

		if (st != BERTH_OK)
			return st;
	}
	return BERTH_OK;
}
