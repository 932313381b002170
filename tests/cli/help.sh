# The help and the man page come from one table: each command and option is in both.
berth --version | sed 's/ [0-9][0-9.]*$/ VERSION/'
berth help >tool.txt
berth --man >berth.1
sed 's/\\-/-/g' berth.1 >man.txt
for command in record recover replay show report findings probe simulate devices; do
	grep -q "^  $command " tool.txt || echo "'berth help' lacks $command"
	berth $command --help >help.txt || echo "$command --help: exit status $?"
	berth help $command | cmp - help.txt
	head -n 1 help.txt
	grep -q "^\.SS berth $command" man.txt || echo "the man page lacks $command"
	for option in $(sed -n 's/^  ..  *--\([a-z-]*\).*/\1/p; s/^  -., --\([a-z-]*\).*/\1/p' help.txt); do
		test $option = help || grep -q -e "--$option" man.txt ||
			echo "the man page lacks $command --$option"
	done
	awk 'length > 110 { print FILENAME ": a line of " length " columns" }' help.txt
done
if command -v mandoc >/dev/null; then
	mandoc -T lint -W error berth.1 || echo "mandoc finds errors"
fi
test ! -f "$TOP_SRCDIR/tool/berth.1" || cmp "$TOP_SRCDIR/tool/berth.1" berth.1
