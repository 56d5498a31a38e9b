#!/bin/sh
# Claims: what the target "dist" writes is reproducible: the archive, its entry for
# packages.octave.org, the release notes, the Debian source package of two binary packages,
# and what makes images of these; the package installs, loads,
# passes its tests, has help texts and uninstalls completely, without nvcc and, if nvcc
# is found, with the CUDA plugin; that plugin and the build's own have no undefined
# symbols but those of the driver; version numbers agree, CITATION.cff's too.  With GPUEIG_TEST_LONG each
# package is compiled from the archive, which takes minutes; otherwise both are linked from
# the build's objects, but for one file by each rule of the Makefile, and the archive has
# every header that its files include.
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

. tests/check.sh

# --- the archive ---------------------------------------------------------------

cmake --build "$build" --target dist >"$folder/dist.log" 2>&1
check $? "target dist: $(tail -n 3 "$folder/dist.log")"
package=$(sed -n 's/^-- Package: //p' "$folder/dist.log")
made=$(dirname "$package")
mkdir "$folder/first"
find "$made" -maxdepth 1 -type f \( -name '*gpueig*' -o -name '*.md' -o -name Dockerfile -o -name container.sh \) \
  -exec cp {} "$folder/first" \;
touch -r core/run/run.c "$folder/time"
touch core/run/run.c
(umask 077 && TZ=Asia/Tokyo LC_ALL=C cmake --build "$build" --target dist) >"$folder/dist.log" 2>&1
touch -r "$folder/time" core/run/run.c
for file in "$package" "$made/gpueig.yaml" "$made/release-notes.md" "$folder/first"/*; do
  cmp "$made/$(basename "$file")" "$folder/first/$(basename "$file")"
  check $? "two runs of dist give the same bytes of $(basename "$file")"
done

# What an option of CMake says is in the archive, and in the other files.
for field in Url:GPUEIG_HOMEPAGE Tracker:GPUEIG_TRACKER; do
  value=$(sed -n "s/^${field#*:}:STRING=//p" "$build/CMakeCache.txt")
  [ -n "$value" ] && tar -xzOf "$package" --wildcards '*/DESCRIPTION' | grep -qxF "${field%:*}: $value" \
    && tar -xzOf "$package" --wildcards '*.metainfo.xml' | grep -qF ">$value</url>" && grep -qF "url: \"$value\"" "$made/gpueig.yaml"
  check $? "${field#*:} in DESCRIPTION, metainfo and gpueig.yaml"
done

# Its entry for packages.octave.org, as the checker there wants it.
entry=$made/gpueig.yaml
[ "$(sed -n 's/^\([a-z]*\):.*/\1/p' "$entry" | tr '\n' ' ')" = "layout permalink description icon links maintainers versions " ]
check $? "keys of gpueig.yaml"
[ "$(grep -o '^  [a-z0-9]*:\|^- [a-z]*:' "$entry" | tail -n 7 | tr -d ' \n-')" = "id:date:sha256:url:depends:ubuntu2604:ubuntu2604w:" ]
check $? "keys of the version in gpueig.yaml"
grep -qF "$(sha256sum <"$package" | cut -d ' ' -f 1)" "$entry"
check $? "gpueig.yaml has the sum of the archive"
! grep -q '@' "$entry" && ! grep -v '"' "$entry" | grep -q '.\{81\}'
check $? "gpueig.yaml has no long line and no open field"

# The release notes are the first section of NEWS, whole.
title=$(head -n 1 NEWS)
next=$(sed -n '2,$s/^\(gpueig [0-9.]*\).*/\1/p' NEWS | head -n 1)
[ "$(head -n 1 "$made/release-notes.md")" = "# $title" ] && ! grep -q "^#* *$next\|^===" "$made/release-notes.md"
check $? "release-notes.md begins with $title and ends before $next"
[ "$(tr -cd '[:alnum:]' <"$made/release-notes.md")" = "$(sed "/^$next/,\$d" NEWS | tr -cd '[:alnum:]')" ]
check $? "release-notes.md has the words of NEWS"

version=$(sed -n 's/^Version: *//p' DESCRIPTION)
check "$([ "$(basename "$package")" = "gpueig-$version.tar.gz" ]; echo $?)" "the archive has the version's name"
for place in 'core/api/gpueig.h:GPUEIG_VERSION' 'NEWS:gpueig'; do
  grep "${place#*:}" "${place%%:*}" | grep -qwF "$version"
  check $? "version $version in ${place%%:*}"
done
# text FILE FIELD: the lines of a field as one.
text ()
{
  sed -n "s/^$2: *//; t more; b; :more p; n; /^ /b more; q" "$1" | sed 's/^>-$//; s/^ *//' | tr '\n' ' ' | sed 's/^ *//; s/ *$//'
}
for field in version:Version date-released:Date abstract:Description; do
  value=$(text DESCRIPTION "${field#*:}")
  [ -n "$value" ] && [ "$(text CITATION.cff "${field%:*}")" = "$value" ]
  check $? "${field%:*} of CITATION.cff is the ${field#*:} of DESCRIPTION"
done
for file in inst/gpu_*.m; do
  name=$(basename "$file" .m)
  grep -qx " $name" INDEX
  check $? "INDEX has $name"
done
for name in $(sed -n 's/^ //p' INDEX); do
  [ -f "inst/$name.m" ]
  check $? "INDEX's $name exists"
done
! grep -q '^$' DESCRIPTION
check $? "no blank line inside DESCRIPTION"

# --- the Debian source package, and images -----------------------------------------

if command -v dpkg-source >/dev/null; then
  source=$made/octave-gpueig_$version
  dpkg-source --no-copy -x "$source-1.dsc" "$folder/debian" >"$log" 2>&1 \
    && cmp "$source.orig.tar.gz" "$package" && [ -x "$folder/debian/debian/rules" ]
  check $? "the Debian source package unpacks, and has the archive: $(tail -n 1 "$log")"
  # No package outside of main is needed without the profile.
  for line in 'octave-gpueig deb math optional arch=any profile=!pkg.octave-gpueig.cuda' \
              'octave-gpueig-cuda deb contrib/math optional arch=amd64,arm64 profile=pkg.octave-gpueig.cuda'; do
    grep -qxF " $line" "$source-1.dsc"
    check $? "binary package $line"
  done
  ! grep '^Build-Depends' "$source-1.dsc" | grep -q 'nvidia\|cuda'
  check $? "Build-Depends outside of main"
  for profile in '' pkg.octave-gpueig.cuda; do
    (cd "$folder/debian" && DEB_BUILD_PROFILES=$profile make -nf debian/rules build) >"$log" 2>&1
    check $? "debian/rules with profile \"$profile\": $(tail -n 1 "$log")"
  done
  rm -rf "$folder/debian"
else
  skip "no dpkg-source: no Debian source package"
fi
stages=$(sed -n 's/^  \([a-z]*\))$/\1/p' "$made/container.sh" | sort | tr '\n' ' ')
for file in Dockerfile gpueig.def; do
  used=$(sed -n 's,.*sh /opt/gpueig/container.sh \([a-z]*\)$,\1,p' "$made/$file" | sort -u | tr '\n' ' ')
  [ -n "$used" ] && [ "$used" = "$stages" ]
  check $? "$file runs $used, container.sh has $stages"
  for taken in $(sed -n 's,^\(COPY\|%files\|\) *\([^ ]*\) /opt/gpueig/[^ ]*$,\2,p' "$made/$file" | grep -v /); do
    (cd "$made" && ls $taken) >/dev/null 2>&1 || ! command -v dpkg-source >/dev/null
    check $? "$file takes $taken"
  done
done
sh -n "$made/container.sh"
check $? "syntax of container.sh"

# --- installing it ---------------------------------------------------------------

# pkg install renders the help of every function: in the short run without makeinfo, whose
# texts help.tst has.
mkdir "$folder/bin"
if [ -z "${GPUEIG_TEST_LONG:-}" ]; then
  cat >"$folder/bin/makeinfo" <<'END'
#!/bin/sh
for file; do :; done
sed '/^ *@r*macro/,/^ *@end/d; s/@[a-z]*{\([^}]*\)}/\1/g; /^ *@def/!{/^ *[@\]/d}; /^See also\|^ *$/d' "$file"
END
  chmod +x "$folder/bin/makeinfo"
fi
# No optimisation: the compiler's time is what this test costs.
flags='CFLAGS=-O0 CXXFLAGS=-O0'

# session NAME PACKAGE cpu|cuda VARIABLE=VALUE...: a clean home and environment.
session ()
{
  name=$1 file=$2 wanted=$3
  shift 3
  home="$folder/$name home"
  mkdir -p "$home/tmp"
  log=$folder/$name.log
  # shellcheck disable=SC2086
  env -i HOME="$home" TMPDIR="$home/tmp" PATH="$folder/bin:$PATH" LANG=C.UTF-8 $flags "$@" \
    "$octave" --norc --no-history tests/octave/package_session.m "$file" "$home" "$wanted" >"$log" 2>&1
  add_counts "$log" "package session $name"
  rest=$(find "$home" -newer "$folder/dist.log" -type f ! -name '*_list' ! -name fntests.log)
  check "$([ -z "$rest" ]; echo $?)" "package session $name left files: $rest"
}

# loads FILE NAME: no symbol is undefined, and the run path has the toolkit, so
# that a loader that does not know it finds its libraries.
loads ()
{
  undefined=$(env -i PATH="$PATH" ldd -r "$1" 2>&1 | grep 'undefined symbol\|not found')
  [ -z "$undefined" ]
  check $? "$2: $(printf '%s\n' "$undefined" | head -n 3)"
  path=$(readelf -d "$1" | sed -n 's/.*R[UN]*PATH.*\[\(.*\)\].*/\1/p')
  found=1
  for place in $(printf '%s' "$path" | tr ':' ' '); do
    ls "$place"/libcublas.so.* >/dev/null 2>&1 && found=0
  done
  check $found "$2: no libcublas in its run path \"$path\""
}

nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
[ -d "$build/cuda/CMakeFiles/gpueig_cuda.dir" ] || nvcc=
if [ -n "${GPUEIG_TEST_LONG:-}" ]; then
  session cpu "$package" cpu GPUEIG_CUDA=OFF
  [ -z "$nvcc" ] || session cuda "$package" cuda CUDAARCHS=90-real GPUEIG_CUDA=ON
else
  tar -xzf "$package" -C "$folder"
  tree=$folder/gpueig-$version/src
  missing=$(cd "$tree" && grep -rhoE '^ *# *(include|define GE_SHARED_MATH) "[^"]+"' . | sed 's/.*"\(.*\)"/\1/' | sort -u \
    | while read -r header; do find . -path "*/$header" | grep -q . || echo "$header"; done)
  [ -z "$missing" ]
  check $? "headers that the archive lacks: $missing"
  # The build's objects by the names that they have in the package.
  (cd "$build" && find core mex preload worker cuda -name '*.c.o' -o -name '*.cc.o' -o -name '*.cu.o' | tar -cf - -T - \
    --transform 's,CMakeFiles/gpueig_preload_\(.\)_\(.\).dir/\(.*\).c.o$,\3.\1names.\2.o,' \
    --transform 's,CMakeFiles/[a-z_]*_\([0-3]\).dir/\(.*\).c.o$,\2.\1.o,' \
    --transform 's,CMakeFiles/[^/]*.dir/\(.*\)[.]c[cu]*[.]o$,\1.o,') 2>"$folder/log" | tar -C "$tree" -xmf -
  # One for each rule of the Makefile is compiled.
  for object in core/run/run core/base/checks_typed.3 preload/svd_typed.2names.1 mex/eig mex/gpu_deferred worker/arguments \
                worker/solve_typed.3 cuda/base/transfer cuda/base/plugin; do
    rm -f "$tree/$object.o"
  done
  if [ -n "$nvcc" ]; then
    # Before both sessions, as pkg install does it.
    loads "$build/inst/gpueig_cuda.so" "the build's plugin"
    # shellcheck disable=SC2086
    make -C "$tree" $flags CUDAARCHS=90-real GPUEIG_CUDA=ON >"$folder/make.log" 2>&1
    check $? "make: $(tail -n 3 "$folder/make.log")"
    loads "$tree/gpueig_cuda.so" "the package's plugin"
    rm -f "$tree"/*.so "$tree"/*.mex "$tree"/*.oct "$tree"/*.a "$tree"/FILES
  fi
  tar -cf "$folder/with-objects.tar" -C "$folder" "gpueig-$version"
  rm -rf "$folder/gpueig-$version"
  session cpu "$folder/with-objects.tar" cpu GPUEIG_CUDA=OFF
  [ -z "$nvcc" ] || session cuda "$folder/with-objects.tar" cuda CUDAARCHS=90-real GPUEIG_CUDA=ON
fi
[ -n "$nvcc" ] || skip "no nvcc, or no objects of CUDA in the build: no package with CUDA"
finish
