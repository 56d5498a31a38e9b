# Assembles the package for pkg install and, beside it: its entry for packages.octave.org,
# gpueig.yaml; release-notes.md, the first section of NEWS; the Debian source package, where
# dpkg-source is installed; what makes images of it, Dockerfile, gpueig.def and container.sh.
# cmake -D SOURCE=... -D STAGE=... -D MANUAL=... -D URL=... -D HOMEPAGE=... -D TRACKER=...
# -P dist.cmake, with the lists of sources of the main CMakeLists.txt; run by the target "dist".
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING
#
# The archive is reproducible bit for bit: sorted names, no owner, one time stamp (the
# Date of DESCRIPTION), fixed permissions.

# field (NAME VARIABLE): a field of DESCRIPTION, its lines as they are.
file (READ ${SOURCE}/DESCRIPTION description)
function (field name variable)
  string (REGEX MATCH "(^|\n)${name}: ([^\n]*(\n [^\n]*)*)" match "${description}")
  set (${variable} "${CMAKE_MATCH_2}" PARENT_SCOPE)
endfunction ()
field (Date date)
field (Version version)
set (name gpueig-${version})
get_filename_component (folder ${STAGE}/.. ABSOLUTE)
set (archive ${folder}/${name}.tar.gz)

file (REMOVE_RECURSE ${STAGE})
file (COPY ${SOURCE}/DESCRIPTION ${SOURCE}/COPYING ${SOURCE}/NEWS
  ${SOURCE}/INDEX ${SOURCE}/CITATION ${SOURCE}/mex/package/PKG_ADD
  ${SOURCE}/mex/package/PKG_DEL DESTINATION ${STAGE}/${name})
file (APPEND ${STAGE}/${name}/DESCRIPTION "Url: ${HOMEPAGE}\nTracker: ${TRACKER}\n")
file (COPY ${SOURCE}/inst DESTINATION ${STAGE}/${name}
  FILES_MATCHING PATTERN *.m)
file (COPY ${SOURCE}/README.md DESTINATION ${STAGE}/${name})
configure_file (${SOURCE}/mex/package/org.octave.gpueig.metainfo.xml
  ${STAGE}/${name}/org.octave.gpueig.metainfo.xml @ONLY)
if (EXISTS ${MANUAL})
  file (COPY ${MANUAL}/ DESTINATION ${STAGE}/${name}/doc)
endif ()
separate_arguments (sources UNIX_COMMAND "${GPUEIG_CORE} ${GPUEIG_CORE_TYPED} \
${GPUEIG_MEX} ${GPUEIG_PLUGIN} ${GPUEIG_WORKER} ${GPUEIG_WORKER_TYPED} \
${GPUEIG_PRELOAD} ${GPUEIG_PRELOAD_TYPED} ${GPUEIG_ENGINE} \
${GPUEIG_ENGINE_TYPED} ${GPUEIG_HEADERS} ${GPUEIG_OCT}")
foreach (file ${sources})
  get_filename_component (at ${file} DIRECTORY)
  file (COPY ${SOURCE}/${file} DESTINATION ${STAGE}/${name}/src/${at})
endforeach ()
configure_file (${SOURCE}/mex/package/Makefile.in
  ${STAGE}/${name}/src/Makefile @ONLY)

set (PROJECT_VERSION ${version})
set (CMAKE_INSTALL_LIBDIR lib)
configure_file (${SOURCE}/preload/gpueig-run.in
  ${STAGE}/${name}/src/gpueig-run @ONLY USE_SOURCE_PERMISSIONS)

find_program (TAR NAMES gtar tar REQUIRED)
set (tar_file ${STAGE}/${name}.tar)
execute_process (
  COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C ${TAR} --create --file ${tar_file}
    --directory ${STAGE} --sort=name "--mtime=${date} 00:00:00Z" --owner=0
    --group=0 --numeric-owner --mode=u=rwX,go=rX --format=ustar ${name}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process (COMMAND gzip --no-name --best --force ${tar_file}
  COMMAND_ERROR_IS_FATAL ANY)
file (RENAME ${tar_file}.gz ${archive})
message (STATUS "Package: ${archive}")

# --- the Debian source package ----------------------------------------------------

file (GLOB old ${folder}/octave-gpueig_*)
file (REMOVE ${folder}/gpueig.yaml ${old})
find_program (DPKG_SOURCE dpkg-source)
if (DPKG_SOURCE)
  set (debian octave-gpueig_${version})
  file (COPY_FILE ${archive} ${STAGE}/${debian}.orig.tar.gz)
  file (COPY ${SOURCE}/mex/package/debian DESTINATION ${STAGE}/${name})
  configure_file (${SOURCE}/mex/package/debian/control ${STAGE}/${name}/debian/control @ONLY)
  execute_process (COMMAND ${CMAKE_COMMAND} -E env LC_ALL=C date --utc --rfc-email
      "--date=${date}" OUTPUT_VARIABLE debian_date OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  file (CONFIGURE OUTPUT ${STAGE}/${name}/debian/changelog @ONLY CONTENT [[
octave-gpueig (@version@-1) unstable; urgency=medium

  * See NEWS.

 -- The gpueig developers <gpueig@packages.invalid>  @debian_date@
]])
  execute_process (COMMAND chmod -R u=rwX,go=rX ${STAGE}/${name}/debian COMMAND_ERROR_IS_FATAL ANY)
  execute_process (COMMAND ${DPKG_SOURCE} --build ${name} WORKING_DIRECTORY ${STAGE}
    OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  foreach (end .orig.tar.gz -1.debian.tar.xz -1.dsc)
    file (RENAME ${STAGE}/${debian}${end} ${folder}/${debian}${end})
  endforeach ()
  message (STATUS "Debian source package: ${folder}/${debian}-1.dsc")
else ()
  message (STATUS "no Debian source package: dpkg-source was not found")
endif ()

file (COPY ${SOURCE}/mex/package/Dockerfile ${SOURCE}/mex/package/gpueig.def
  ${SOURCE}/mex/package/container.sh DESTINATION ${folder})

# --- release notes ----------------------------------------------------------------

file (READ ${SOURCE}/NEWS news)
# Without the line under the title, up to the title of the next version.
string (REGEX REPLACE "\n=+\n" "\n" news "${news}")
string (REGEX REPLACE "\n+gpueig [0-9.]+.*" "\n" news "${news}")
string (REGEX REPLACE "\n([^ \n])" "\n## \\1" news "# ${news}")
string (REGEX REPLACE "\n \\*\\* " "\n- " news "${news}")
string (REGEX REPLACE "\n    ([^ ])" "\n  \\1" news "${news}")
file (WRITE ${folder}/release-notes.md "${news}")

# --- the entry --------------------------------------------------------------------

field (Depends depends)
field (Description about)
field (Maintainer maintainer)
string (REPLACE "\n" "\n " about "${about}")
file (SHA256 ${archive} sha256)
file (CONFIGURE OUTPUT ${folder}/gpueig.yaml @ONLY CONTENT [[
---
layout: "package"
permalink: "gpueig/"
description: >-
  @about@
icon:
links:
- icon: "far fa-copyright"
  label: "GPL-3.0-or-later"
  url: "https://spdx.org/licenses/GPL-3.0-or-later.html"
- icon: "fas fa-code-branch"
  label: "repository"
  url: "@HOMEPAGE@"
- icon: "fas fa-bug"
  label: "report a problem"
  url: "@TRACKER@"
maintainers:
- name: "@maintainer@"
  contact:
versions:
- id: "@version@"
  date: "@date@"
  sha256: "@sha256@"
  url: "@URL@/@name@.tar.gz"
  depends:
  - "@depends@"
  - "pkg"
  ubuntu2604:
  - "liblapack-dev"
  ubuntu2604w:
  - "libelpa-dev"
  - "libscalapack-mpi-dev"
---
]])
