/* SPDX-License-Identifier: Apache-2.0 */
/* Single values of a profile, changed by text: what if the device had less? */
#include "profile_file.h"

#include <stdlib.h>
#include <string.h>

#define WHERE "settings"

/* A setting as typed, cut in two. */
struct setting {
	char text[BERTH__PROFILE_LINE_BYTES];
	const char *section; /* NULL: not said */
	const char *key;
	const char *value;
};

static char *trim(char *text)
{
	char *end = text + strlen(text);

	while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = '\0';
	return text + strspn(text, " \t");
}

static berth_status cut(struct setting *out, const char *text, size_t length)
{
	char *equals, *dot;

	if (length >= sizeof(out->text))
		return berth_error_set(BERTH_E_FORMAT, 0,
				       WHERE ": '%.40s...' has %zu bytes: allowed are %zu", text,
				       length, sizeof(out->text) - 1);
	memcpy(out->text, text, length);
	out->text[length] = '\0';
	equals = strchr(out->text, '=');
	if (!equals)
		return berth_error_set(BERTH_E_FORMAT, 0,
				       WHERE ": '%s' is no setting: allowed is KEY=VALUE, as "
					     "max_alloc_bytes=256MiB",
				       out->text);
	*equals = '\0';
	out->value = trim(equals + 1);
	out->key = trim(out->text);
	dot = strchr(out->key, '.');
	out->section = dot ? out->key : NULL;
	if (dot) {
		*dot = '\0';
		out->key = dot + 1;
	}
	return BERTH_OK;
}

static bool names(const struct setting *setting, const struct berth__profile_key *key)
{
	return strcmp(setting->key, key->key) == 0 &&
	       (!setting->section || strcmp(setting->section, key->section) == 0);
}

/* [caps] and [profile] both have a name: without its section such a key says nothing. */
static berth_status find_key(const struct berth__profile_key **out, const struct setting *setting)
{
	const struct berth__profile_key *key, *found = NULL;

	for (size_t i = 0; (key = berth__profile_key_at(i)); i++) {
		if (!names(setting, key))
			continue;
		if (found)
			return berth_error_set(
				BERTH_E_FORMAT, 0,
				WHERE ": '%s' is a key of two sections: say %s.%s or %s.%s",
				key->key, found->section, key->key, key->section, key->key);
		found = key;
	}
	if (!found)
		return berth_error_set(BERTH_E_FORMAT, 0,
				       WHERE ": '%s%s%s' is not a key of a profile; as "
					     "capacity_bytes, max_alloc_bytes, image2d_max_width, "
					     "base_addr_align_bits, image_pitch_align, commit",
				       setting->section ? setting->section : "",
				       setting->section ? "." : "", setting->key);
	*out = found;
	return BERTH_OK;
}

static berth_status set_one(berth_profile *profile, const char *text, size_t length)
{
	const struct berth__profile_key *key = NULL;
	struct berth__profile_place place = { .file = WHERE, .line = 1 };
	struct setting setting;
	berth_status st = cut(&setting, text, length);

	if (st == BERTH_OK)
		st = find_key(&key, &setting);
	if (st != BERTH_OK)
		return st;
	place.key = key->key;
	return berth__profile_set(profile, key, setting.value, &place);
}

berth_status berth_profile_override(berth_profile *profile, const char *settings)
{
	berth_profile *changed = malloc(sizeof(*changed));
	berth_status st = BERTH_OK;

	if (!changed)
		return berth_error_set(BERTH_E_NOMEM, 0, "no memory to change a profile");
	*changed = *profile;
	while (st == BERTH_OK && *settings) {
		size_t length = strcspn(settings, ",");

		st = set_one(changed, settings, length);
		settings += length + (settings[length] == ',');
	}
	if (st == BERTH_OK)
		st = berth_caps_validate(&changed->caps);
	if (st == BERTH_OK)
		*profile = *changed;
	else if (st == BERTH_E_FORMAT) /* of text that the caller made */
		st = berth_error_set(BERTH_E_INVAL, 0, "%s", berth_error_get()->message);
	free(changed);
	return st;
}
