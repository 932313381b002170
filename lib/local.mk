# The core. libcore.la is linked into libberth, the layer and the tests.
noinst_LTLIBRARIES += %D%/libcore.la
%C%_libcore_la_SOURCES = \
	%D%/caps.c \
	%D%/device.c \
	%D%/error.c \
	%D%/format.c \
	%D%/image_shape.c \
	%D%/image_shape.h \
	%D%/mem_flags.h \
	%D%/object.c \
	%D%/object.h \
	%D%/objects.c \
	%D%/op.c \
	%D%/rule_table.h \
	%D%/rules.c \
	%D%/rules_buffer.c \
	%D%/rules_command.c \
	%D%/rules_flags.c \
	%D%/rules_image.c \
	%D%/rules_image_command.c \
	%D%/rules_image_memory.c \
	%D%/rules_image_region.c \
	%D%/rules_linear.c \
	%D%/rules_map.c \
	%D%/rules_object.c \
	%D%/rules_rect.c \
	%D%/spool_format.h \
	%D%/status.c

# The library that runtimes link: the core and the simulator.
lib_LTLIBRARIES += %D%/libberth.la
%C%_libberth_la_SOURCES =
%C%_libberth_la_LIBADD = %D%/libcore.la
%C%_libberth_la_LDFLAGS = $(AM_LDFLAGS) -version-info 0:0:0 -no-undefined

pkgconfig_DATA += %D%/berth.pc
