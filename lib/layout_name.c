/* SPDX-License-Identifier: Apache-2.0 */
/* Names of memory scopes and element types, there and back. */
#include <berth/layout.h>

#include <string.h>

static const char *const scope_strings[BERTH_SCOPE_END] = {
#define X(scope, value, string, axes) [scope] = string,
	BERTH_SCOPE_MAP(X)
#undef X
};

static const struct {
	const char *name;
	uint32_t bytes;
} elements[BERTH_ELEMENT_END] = {
#define X(element, value, string, bytes) [element] = { string, bytes },
	BERTH_ELEMENT_MAP(X)
#undef X
};

const char *berth_scope_string(berth_scope scope)
{
	return (unsigned)scope < BERTH_SCOPE_END ? scope_strings[scope] : "unknown";
}

const char *berth_element_string(berth_element element)
{
	return (unsigned)element < BERTH_ELEMENT_END ? elements[element].name : "unknown";
}

uint32_t berth_element_bytes(berth_element element)
{
	return (unsigned)element < BERTH_ELEMENT_END ? elements[element].bytes : 0;
}

berth_status berth_scope_parse(berth_scope *out, const char *name)
{
	for (unsigned scope = 0; scope < BERTH_SCOPE_END; scope++) {
		if (strcmp(scope_strings[scope], name) == 0) {
			*out = (berth_scope)scope;
			return BERTH_OK;
		}
	}
	return berth_error_set(BERTH_E_NOT_FOUND, 0, "'%s' is not a memory scope, as texture-nhwc",
			       name);
}

berth_status berth_element_parse(berth_element *out, const char *name)
{
	for (unsigned element = 0; element < BERTH_ELEMENT_END; element++) {
		if (strcmp(elements[element].name, name) == 0) {
			*out = (berth_element)element;
			return BERTH_OK;
		}
	}
	return berth_error_set(BERTH_E_NOT_FOUND, 0, "'%s' is not an element type, as float16",
			       name);
}
