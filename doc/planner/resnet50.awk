# SPDX-License-Identifier: Apache-2.0
# The tensors of ResNet-50 (He et al., arXiv 1512.03385, table 1; an image of 224 x 224), as a
# table for `berth plan`: float16, four channels a texel, batch norm and ReLU in place.
#   awk [-v scope=texture] [-v training=1] -f resnet50.awk
# Inference: a tensor lives from the step that makes it to the last that reads it. Training:
# to the backward step of its first reader; its gradient from the backward step of its last
# reader to that of the step that made it.

# A new tensor of c channels, h x h, made by a step of its own that reads a (and b).
function make(c, h, a, b) {
	step++
	tensors++
	channels[tensors] = c
	side[tensors] = h
	born[tensors] = step
	if (a) read(a)
	if (b) read(b)
	return tensors
}

function read(a) {
	if (!first[a]) first[a] = step
	last[a] = step
}

# Three convolutions and a shortcut, which is one itself where sizes change.
function block(x, middle, h, project,    a, c, shortcut) {
	a = make(middle, h, x)
	a = make(middle, h, a)
	c = make(4 * middle, h, a)
	shortcut = project ? make(4 * middle, h, x) : x
	return make(4 * middle, h, c, shortcut)
}

function stage(x, blocks, middle, h,    i) {
	for (i = 0; i < blocks; i++)
		x = block(x, middle, h, i == 0)
	return x
}

function row(id, lower, upper, t) {
	printf "%s,%d,%d,%s float16 1x%dx%dx%dx4\n", id, lower, upper, scope,
		int((channels[t] + 3) / 4), side[t], side[t]
}

BEGIN {
	if (!scope) scope = "choose"
	x = make(3, 224)
	x = make(64, 112, x)
	x = make(64, 56, x)
	x = stage(x, 3, 64, 56)
	x = stage(x, 4, 128, 28)
	x = stage(x, 6, 256, 14)
	x = stage(x, 3, 512, 7)
	x = make(2048, 1, x)
	x = make(1000, 1, x)
	step++
	read(x)
	end = 2 * step
	print "id,lower,upper,layout"
	for (t = 1; t <= tensors; t++) {
		row(t, born[t], (training ? end - first[t] : last[t]) + 1, t)
		if (training)
			row("g" t, end - last[t], end - born[t] + 1, t)
	}
}
