# A dump of clinfo as a device: listed with what it lacks, dumped as a profile, replayed on.
cat >dump.txt <<'END'
> Number of platforms 1
> Platform Name P
> Number of devices 2
> Device Name First Device Version OpenCL 2.0 X
> Global memory size 1073741824 (1024MiB) Max memory allocation 268435456
> Device Name Second
> Device Version OpenCL 1.2 Y
> Global memory size 2147483648 (2GiB)
> Max memory allocation 536870912 (512MiB)
> Alignment of base address 1024 bits (128 bytes)
> Global Memory cache line size 9437184 bytes
> Image support Yes
> Max 2D image size 8192x8192 pixels
> Pitch alignment for 2D image buffers 16 bytes
> Base address alignment for 2D image buffers 32 bytes
END
try berth devices sim:clinfo:dump.txt
try berth devices sim:clinfo:dump.txt:0
try berth devices sim:clinfo:dump.txt:1
berth devices --dump sim:clinfo:dump.txt:1 >second.ini
echo "[exit $?]"
grep -E '^(# line|global|image_pitch|unknown)' second.ini
"$BUILT/make_trace" small t.db
for device in sim:clinfo:dump.txt:1 sim:second.ini; do
	berth replay t.db --on $device | head -n 1
done
