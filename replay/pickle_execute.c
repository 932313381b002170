/* SPDX-License-Identifier: Apache-2.0 */
#include "pickle_machine.h"

#include <inttypes.h>

/* Not a value: a place of the memo that was not set. */
#define NO_VALUE UINT32_MAX

static berth_status bad(const struct berth__pickle_machine *m, const char *why)
{
	return berth_error_set(BERTH_E_FORMAT, 0, "%s, byte %" PRIu64 ": %s: %s", m->text.path,
			       m->op_at, m->name, why);
}

berth_status berth__pickle_cut_short(const struct berth__pickle_machine *m)
{
	if (ferror(m->text.file))
		return berth_error_set(BERTH_E_IO, 0, "cannot read '%s'", m->text.path);
	return bad(m, "the file is cut short");
}

static berth_status read_bytes(struct berth__pickle_machine *m, void *bytes, size_t count)
{
	if (fread(bytes, 1, count, m->text.file) != count)
		return berth__pickle_cut_short(m);
	m->offset += count;
	return BERTH_OK;
}

/* A little-endian number of so many bytes. */
static berth_status read_number(struct berth__pickle_machine *m, uint64_t *out, unsigned bytes)
{
	unsigned char little[8];
	berth_status st = read_bytes(m, little, bytes);

	*out = 0;
	for (unsigned i = bytes; st == BERTH_OK && i > 0; i--)
		*out = *out << 8 | little[i - 1];
	return st;
}

/* A length; what follows must be in the file. */
static berth_status read_length(struct berth__pickle_machine *m, uint64_t *out, unsigned bytes)
{
	uint64_t size = m->pickle->file_bytes, left;
	berth_status st = read_number(m, out, bytes);

	/* A file may grow while it is read. */
	left = size > m->offset ? size - m->offset : 0;
	if (st == BERTH_OK && *out > left)
		return berth_error_set(BERTH_E_FORMAT, 0,
				       "%s, byte %" PRIu64 ": %s: %" PRIu64
				       " bytes are to follow, the file has %" PRIu64 " more",
				       m->text.path, m->op_at, m->name, *out, left);
	return st;
}

static berth_status push(struct berth__pickle_machine *m, berth__pickle_value value)
{
	berth_status st;

	if (m->height >= BERTH__PICKLE_STACK_MAX)
		return berth_error_set(BERTH_E_LIMIT, 0,
				       "%s, byte %" PRIu64 ": more than %u values on the stack: nested "
				       "too deep",
				       m->text.path, m->op_at, BERTH__PICKLE_STACK_MAX);
	st = berth__pickle_grow((void **)&m->stack, &m->stack_capacity, m->height + 1,
				sizeof(*m->stack));
	if (st == BERTH_OK)
		m->stack[m->height++] = value;
	return st;
}

static berth_status push_new(struct berth__pickle_machine *m, uint32_t type, uint64_t content)
{
	berth__pickle_value value;
	berth_status st = berth__pickle_add(&value, m->pickle, type, content);

	return st == BERTH_OK ? push(m, value) : st;
}

/* Values above the last mark belong to whoever takes the mark. */
static size_t free_height(const struct berth__pickle_machine *m)
{
	return m->height - (m->mark_count ? m->marks[m->mark_count - 1] : 0);
}

static berth_status need(const struct berth__pickle_machine *m, size_t count)
{
	return free_height(m) >= count ? BERTH_OK : bad(m, "the stack has too little on it");
}

/* ---- what opcodes do; `argument` is of the table ---- */

berth_status berth__pickle_do_proto(struct berth__pickle_machine *m, unsigned argument)
{
	uint64_t version;
	berth_status st = read_number(m, &version, 1);

	(void)argument;
	if (st == BERTH_OK && (version < 2 || version > 5))
		return berth_error_set(BERTH_E_VERSION, 0,
				       "%s: a pickle of protocol %" PRIu64 "; 2 to 5 are read",
				       m->text.path, version);
	return st;
}

/* How many bytes belong together: nothing that a reader must know. */
berth_status berth__pickle_do_frame(struct berth__pickle_machine *m, unsigned argument)
{
	uint64_t length;

	return read_length(m, &length, argument);
}

berth_status berth__pickle_do_stop(struct berth__pickle_machine *m, unsigned argument)
{
	(void)argument;
	if (m->height != 1 || m->mark_count > 0)
		return bad(m, "the stack does not hold one value");
	m->pickle->root = m->stack[0];
	m->stopped = true;
	return BERTH_OK;
}

berth_status berth__pickle_do_mark(struct berth__pickle_machine *m, unsigned argument)
{
	berth_status st;

	(void)argument;
	if (m->mark_count >= BERTH__PICKLE_MARKS_MAX)
		return berth_error_set(BERTH_E_LIMIT, 0,
				       "%s, byte %" PRIu64 ": more than %u marks: nested too deep",
				       m->text.path, m->op_at, BERTH__PICKLE_MARKS_MAX);
	st = berth__pickle_grow((void **)&m->marks, &m->mark_capacity, m->mark_count + 1,
				sizeof(*m->marks));
	if (st == BERTH_OK)
		m->marks[m->mark_count++] = m->height;
	return st;
}

berth_status berth__pickle_do_pop(struct berth__pickle_machine *m, unsigned argument)
{
	(void)argument;
	if (free_height(m) > 0)
		m->height--;
	else if (m->mark_count > 0)
		m->mark_count--;
	else
		return bad(m, "the stack has too little on it");
	return BERTH_OK;
}

berth_status berth__pickle_do_pop_mark(struct berth__pickle_machine *m, unsigned argument)
{
	(void)argument;
	if (m->mark_count == 0)
		return bad(m, "there is no mark");
	m->height = m->marks[--m->mark_count];
	return BERTH_OK;
}

berth_status berth__pickle_do_dup(struct berth__pickle_machine *m, unsigned argument)
{
	berth_status st = need(m, 1);

	(void)argument;
	return st == BERTH_OK ? push(m, m->stack[m->height - 1]) : st;
}

berth_status berth__pickle_do_none(struct berth__pickle_machine *m, unsigned argument)
{
	return push_new(m, BERTH__PICKLE_NONE, argument);
}

berth_status berth__pickle_do_bool(struct berth__pickle_machine *m, unsigned argument)
{
	return push_new(m, BERTH__PICKLE_BOOL, argument);
}

berth_status berth__pickle_do_unsigned(struct berth__pickle_machine *m, unsigned argument)
{
	uint64_t number;
	berth_status st = read_number(m, &number, argument);

	return st == BERTH_OK ? push_new(m, BERTH__PICKLE_INT, number) : st;
}

static berth_status push_signed(struct berth__pickle_machine *m, int64_t number)
{
	return push_new(m, number < 0 ? BERTH__PICKLE_INT | BERTH__PICKLE_NEGATIVE : BERTH__PICKLE_INT,
			(uint64_t)number);
}

berth_status berth__pickle_do_int32(struct berth__pickle_machine *m, unsigned argument)
{
	uint64_t number;
	berth_status st = read_number(m, &number, argument);

	return st == BERTH_OK ? push_signed(m, (int32_t)(uint32_t)number) : st;
}

static berth_status skip(struct berth__pickle_machine *m, uint64_t bytes)
{
	char block[4096];
	berth_status st = BERTH_OK;

	while (st == BERTH_OK && bytes > 0) {
		size_t part = bytes < sizeof(block) ? (size_t)bytes : sizeof(block);

		st = read_bytes(m, block, part);
		bytes -= part;
	}
	return st;
}

/* Two's complement of any length. */
berth_status berth__pickle_do_long(struct berth__pickle_machine *m, unsigned argument)
{
	unsigned char little[9] = { 0 };
	uint64_t length, number = 0;
	berth_status st = read_length(m, &length, argument);

	if (st == BERTH_OK && length > sizeof(little)) {
		st = skip(m, length);
		return st == BERTH_OK ? push_new(m, BERTH__PICKLE_HUGE, 0) : st;
	}
	if (st == BERTH_OK)
		st = read_bytes(m, little, (size_t)length);
	if (st != BERTH_OK)
		return st;
	for (unsigned i = 8; i > 0; i--)
		number = number << 8 | little[i - 1];
	if (length == 0 || !(little[length - 1] & 0x80))
		return push_new(m, little[8] ? BERTH__PICKLE_HUGE : BERTH__PICKLE_INT, number);
	if (length == 9)
		return push_new(m, BERTH__PICKLE_HUGE, 0);
	if (length < 8)
		number |= UINT64_MAX << 8 * length;
	return push_signed(m, (int64_t)number);
}

/* Not looked at: there is no size or time of ours that is one. */
berth_status berth__pickle_do_float(struct berth__pickle_machine *m, unsigned argument)
{
	uint64_t bits;
	berth_status st = read_number(m, &bits, argument);

	return st == BERTH_OK ? push_new(m, BERTH__PICKLE_FLOAT, bits) : st;
}

berth_status berth__pickle_do_text(struct berth__pickle_machine *m, unsigned argument)
{
	struct berth__pickle *pickle = m->pickle;
	berth__pickle_value value;
	uint64_t length;
	char *text;
	berth_status st = read_length(m, &length, argument);

	if (st == BERTH_OK && length > UINT32_MAX)
		return bad(m, "a text of 4 GiB or more");
	if (st != BERTH_OK ||
	    (st = berth__pickle_reserve_text(&text, pickle, (size_t)length)) != BERTH_OK ||
	    (st = read_bytes(m, text, (size_t)length)) != BERTH_OK ||
	    (st = berth__pickle_add(&value, pickle, BERTH__PICKLE_TEXT, pickle->text_bytes)) !=
		    BERTH_OK)
		return st;
	text[length] = 0;
	pickle->slots[value].bytes = (uint32_t)length;
	pickle->text_bytes += (size_t)length + 1;
	return push(m, value);
}

berth_status berth__pickle_do_bytes(struct berth__pickle_machine *m, unsigned argument)
{
	uint64_t length;
	berth_status st = read_length(m, &length, argument);

	if (st == BERTH_OK)
		st = skip(m, length);
	return st == BERTH_OK ? push_new(m, BERTH__PICKLE_BYTES, 0) : st;
}

static berth_status push_items(struct berth__pickle_machine *m, uint32_t type, size_t count)
{
	berth__pickle_value value;
	berth_status st;

	m->height -= count;
	st = berth__pickle_add_items(&value, m->pickle, type, m->stack + m->height, (uint32_t)count);
	return st == BERTH_OK ? push(m, value) : st;
}

berth_status berth__pickle_do_empty(struct berth__pickle_machine *m, unsigned argument)
{
	return push_items(m, argument, 0);
}

berth_status berth__pickle_do_tuple(struct berth__pickle_machine *m, unsigned argument)
{
	berth_status st = need(m, argument);

	return st == BERTH_OK ? push_items(m, BERTH__PICKLE_TUPLE, argument) : st;
}

/* All above the mark; of a dict, in pairs. */
berth_status berth__pickle_do_marked(struct berth__pickle_machine *m, unsigned argument)
{
	size_t count = free_height(m);

	if (m->mark_count == 0)
		return bad(m, "there is no mark");
	if (argument == BERTH__PICKLE_DICT && count % 2 != 0)
		return bad(m, "a key without a value");
	m->mark_count--;
	return push_items(m, argument, count);
}

/* Add the top values to the list or dict below them. */
static berth_status append(struct berth__pickle_machine *m, size_t count, uint32_t type)
{
	berth__pickle_value target;
	berth_status st = need(m, count + 1);

	if (st != BERTH_OK)
		return st;
	if (type == BERTH__PICKLE_DICT && count % 2 != 0)
		return bad(m, "a key without a value");
	target = m->stack[m->height - count - 1];
	if (m->pickle->slots[target].type != type)
		return bad(m, type == BERTH__PICKLE_DICT ? "what is to take items is not a dict"
							 : "what is to take items is not a list");
	m->height -= count;
	return berth__pickle_append(m->pickle, target, m->stack + m->height, (uint32_t)count);
}

berth_status berth__pickle_do_append(struct berth__pickle_machine *m, unsigned argument)
{
	return append(m, argument == BERTH__PICKLE_DICT ? 2 : 1, argument);
}

berth_status berth__pickle_do_appends(struct berth__pickle_machine *m, unsigned argument)
{
	size_t count = free_height(m);

	if (m->mark_count == 0)
		return bad(m, "there is no mark");
	m->mark_count--;
	return append(m, count, argument);
}

static berth_status put(struct berth__pickle_machine *m, uint64_t index)
{
	berth_status st = need(m, 1);

	if (st != BERTH_OK)
		return st;
	/* Each number is given once, and there is an opcode for each. */
	if (index > m->offset)
		return berth_error_set(BERTH_E_FORMAT, 0,
				       "%s, byte %" PRIu64 ": %s: number %" PRIu64
				       " of the memo, at which there can be no more than %" PRIu64,
				       m->text.path, m->op_at, m->name, index, m->offset);
	st = berth__pickle_grow((void **)&m->memo, &m->memo_capacity, (size_t)index + 1,
				sizeof(*m->memo));
	while (st == BERTH_OK && m->memo_count <= index)
		m->memo[m->memo_count++] = NO_VALUE;
	if (st == BERTH_OK)
		m->memo[index] = m->stack[m->height - 1];
	return st;
}

berth_status berth__pickle_do_memoize(struct berth__pickle_machine *m, unsigned argument)
{
	(void)argument;
	return put(m, m->memo_count);
}

berth_status berth__pickle_do_put(struct berth__pickle_machine *m, unsigned argument)
{
	uint64_t index;
	berth_status st = read_number(m, &index, argument);

	return st == BERTH_OK ? put(m, index) : st;
}

berth_status berth__pickle_do_get(struct berth__pickle_machine *m, unsigned argument)
{
	uint64_t index;
	berth_status st = read_number(m, &index, argument);

	if (st != BERTH_OK)
		return st;
	if (index >= m->memo_count || m->memo[index] == NO_VALUE)
		return bad(m, "the memo has no such number");
	return push(m, m->memo[index]);
}
