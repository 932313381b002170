/* SPDX-License-Identifier: Apache-2.0 */
#include "xml_text.h"

void xml_put_text(FILE *file, const char *text)
{
	for (; *text; text++) {
		const unsigned char byte = (unsigned char)*text;

		if (byte == '&' || byte == '<' || byte == '>' || byte == '"')
			fprintf(file, "&#%d;", byte);
		else
			fputc(byte < ' ' || byte >= 0x7f ? '?' : byte, file);
	}
}
