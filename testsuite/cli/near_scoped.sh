# SPDX-License-Identifier: GPL-2.0-or-later
# near PROGRAM NAME: what is said of it
near() {
	echo "$2: $("$STAP" -r "$KERNEL" -p2 -e "probe process(\"$1\").function(\"$2\") { next }" 2>&1 | sed -n 's/.*no match (\(.*\)): identifier.*/\1/p')"
}
stripped=$(mktemp)
trap 'rm "$stripped"' EXIT
strip --strip-debug -o "$stripped" "$BUILD/programs/shapes"
for shapes in "$BUILD/programs/shapes" "$stripped"; do
	near "$shapes" ns::shap::area
	near "$shapes" inner::dep
	near "$shapes" aera
done
near "$BUILD/programs/within" within::Thing::methd
near "$BUILD/programs/within" Thing::methud
near "$BUILD/programs/within" within::twice
near "$BUILD/programs/within" within::twic
