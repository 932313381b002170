/* SPDX-License-Identifier: Apache-2.0 */
/* A pickle from a file: one opcode after the other, until STOP. */
#include "pickle_machine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>

static berth_status step(struct berth__pickle_machine *m)
{
	int byte = getc(m->text.file);
	const struct berth__pickle_opcode *opcode;

	m->op_at = m->offset;
	m->name = "an opcode";
	if (byte == EOF)
		return berth__pickle_cut_short(m);
	opcode = &berth__pickle_opcodes[byte];
	if (m->offset++ == 0 && byte != 0x80)
		return berth_error_set(BERTH_E_FORMAT, 0,
				       "%s: not a pickle of protocol 2 or later: byte 0 is 0x%02x, "
				       "not PROTO (0x80)",
				       m->text.path, (unsigned)byte);
	if (opcode->execute) {
		m->name = opcode->name;
		return opcode->execute(m, opcode->argument);
	}
	return berth_error_set(BERTH_E_FORMAT, 0,
			       "%s, byte %" PRIu64 ": opcode 0x%02x%s%s%s is not plain data, and is "
			       "not executed",
			       m->text.path, m->op_at, (unsigned)byte, opcode->name ? " (" : "",
			       opcode->name ? opcode->name : "", opcode->name ? ")" : "");
}

static berth_status run(struct berth__pickle_machine *m)
{
	struct stat status;
	berth_status st = BERTH_OK;

	if (fstat(fileno(m->text.file), &status) != 0)
		return berth_error_set(BERTH_E_IO, 0, "cannot read '%s'", m->text.path);
	m->pickle->file_bytes = (uint64_t)status.st_size;
	while (st == BERTH_OK && !m->stopped)
		st = step(m);
	return st;
}

berth_status berth__pickle_load(struct berth__pickle **out, const char *path)
{
	struct berth__pickle_machine machine = { .pickle = calloc(1, sizeof(*machine.pickle)) };
	berth_status st;

	if (!machine.pickle)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory for '%s'", path);
	st = berth__plan_text_open(&machine.text, path);
	if (st == BERTH_OK) {
		st = run(&machine);
		berth__plan_text_close(&machine.text);
	}
	free(machine.stack);
	free(machine.marks);
	free(machine.memo);
	if (st == BERTH_OK)
		*out = machine.pickle;
	else
		berth__pickle_free(machine.pickle);
	return st;
}
