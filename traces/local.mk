# The golden traces: data of the tests.
EXTRA_DIST += \
	%D%/README.md \
	%D%/clpeak-transfer-h200.db \
	%D%/expected.tsv \
	%D%/ffmpeg-avgblur-pocl.db \
	%D%/ffmpeg-nlmeans-pocl.db \
	%D%/ffmpeg-sobel-pocl.db \
	%D%/image-on-buffer-intel.db \
	%D%/image_on_buffer.c \
	%D%/opencv-umat-pocl.db \
	%D%/opencv_umat.py \
	%D%/pyopencl-wrapper-pocl.db
