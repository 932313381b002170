/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BERTH_TOOL_XML_TEXT_H
#define BERTH_TOOL_XML_TEXT_H

#include <stdio.h>

/* Text in XML: what is markup is escaped, what XML cannot hold becomes '?'. */
void xml_put_text(FILE *file, const char *text);

#endif
