# Assembles the package: cmake -D SOURCE=... -D STAGE=... -D OUTPUT=... -P dist.cmake,
# with the lists of sources of the main CMakeLists.txt; run by the target "dist".
# SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING
#
# The archive is reproducible bit for bit: sorted names, no owner, one time stamp (the
# Date of DESCRIPTION), fixed permissions.

file (STRINGS ${SOURCE}/DESCRIPTION date REGEX "^Date:")
string (REGEX REPLACE "^Date: *" "" date "${date}")
file (STRINGS ${SOURCE}/DESCRIPTION version REGEX "^Version:")
string (REGEX REPLACE "^Version: *" "" version "${version}")
set (name gpueig-${version})
if (NOT OUTPUT)
  set (OUTPUT ${STAGE}/../${name}.tar.gz)
endif ()

file (REMOVE_RECURSE ${STAGE})
file (COPY ${SOURCE}/DESCRIPTION ${SOURCE}/COPYING ${SOURCE}/NEWS
  ${SOURCE}/INDEX ${SOURCE}/CITATION DESTINATION ${STAGE}/${name})
file (COPY ${SOURCE}/inst DESTINATION ${STAGE}/${name}
  FILES_MATCHING PATTERN *.m)
if (EXISTS ${SOURCE}/README.md)
  file (COPY ${SOURCE}/README.md DESTINATION ${STAGE}/${name})
endif ()
separate_arguments (sources UNIX_COMMAND "${GPUEIG_CORE} ${GPUEIG_CORE_TYPED} \
${GPUEIG_MEX} ${GPUEIG_PLUGIN} ${GPUEIG_WORKER} ${GPUEIG_WORKER_TYPED} \
${GPUEIG_PRELOAD} ${GPUEIG_PRELOAD_TYPED} ${GPUEIG_ENGINE} \
${GPUEIG_ENGINE_TYPED} ${GPUEIG_HEADERS}")
foreach (file ${sources})
  get_filename_component (folder ${file} DIRECTORY)
  file (COPY ${SOURCE}/${file} DESTINATION ${STAGE}/${name}/src/${folder})
endforeach ()
configure_file (${SOURCE}/mex/package/Makefile.in
  ${STAGE}/${name}/src/Makefile @ONLY)

set (PROJECT_VERSION ${version})
set (CMAKE_INSTALL_LIBDIR lib)
configure_file (${SOURCE}/core/preload/gpueig-run.in
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
file (RENAME ${tar_file}.gz ${OUTPUT})
get_filename_component (OUTPUT ${OUTPUT} ABSOLUTE)
message (STATUS "Package: ${OUTPUT}")
