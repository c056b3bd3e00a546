# attr_room(NAME FOLDER DEPS ... [HEADERS ...]): the library attr_NAME from FOLDER/*.cc and, from
# FOLDER/*_test.cc beside them, the doctest program attr_NAME_test. A new file in a
# room needs no edit here. HEADERS: heavy ones of the room's own library, precompiled.
set(ATTR_TEST_MAIN ${CMAKE_SOURCE_DIR}/tests/doctest_main.cc)
add_library(attr_test_main OBJECT ${ATTR_TEST_MAIN})
target_include_directories(attr_test_main PRIVATE ${DOCTEST_INCLUDE_DIR})

add_library(attr_llvm INTERFACE)
target_include_directories(attr_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
# The static archives: relocating the shared library cost every run 25 ms, whether
# it compiled anything or not (docs/decisions.md, start).
llvm_map_components_to_libnames(ATTR_LLVM_LIBRARIES orcjit native passes)
target_link_libraries(attr_llvm INTERFACE ${ATTR_LLVM_LIBRARIES})

# The headers that nearly every file includes, compiled once: with some 350 small
# files they would otherwise be half of the build's time. Tests have their own,
# since they are compiled without optimisation.
set(ATTR_COMMON_HEADERS <algorithm> <array> <cstdint> <functional> <map> <memory> <optional> <set> <string>
    <string_view> <unordered_map> <utility> <variant> <vector> <fmt/format.h>)
add_library(attr_pch STATIC ${CMAKE_SOURCE_DIR}/cmake/pch.cc)
target_link_libraries(attr_pch PUBLIC fmt::fmt)
target_precompile_headers(attr_pch PRIVATE ${ATTR_COMMON_HEADERS})
# For what runs for milliseconds or in tests alone.
set(ATTR_O1 $<$<CONFIG:Release>:-O1>)
add_library(attr_o1_pch STATIC ${CMAKE_SOURCE_DIR}/cmake/pch.cc)
target_link_libraries(attr_o1_pch PUBLIC fmt::fmt)
target_compile_options(attr_o1_pch PRIVATE ${ATTR_O1})
target_precompile_headers(attr_o1_pch PRIVATE ${ATTR_COMMON_HEADERS})
set(ATTR_ROOM_PCH attr_pch)
add_library(attr_test_pch STATIC ${CMAKE_SOURCE_DIR}/cmake/pch.cc)
target_link_libraries(attr_test_pch PUBLIC fmt::fmt)
target_compile_options(attr_test_pch PRIVATE -O0)
target_compile_definitions(attr_test_pch PRIVATE DOCTEST_CONFIG_SUPER_FAST_ASSERTS)
target_include_directories(attr_test_pch SYSTEM PRIVATE ${DOCTEST_INCLUDE_DIR})
target_precompile_headers(attr_test_pch PRIVATE ${ATTR_COMMON_HEADERS} <doctest.h>)

function(attr_test NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${NAME} ${ARG_SOURCES} $<TARGET_OBJECTS:attr_test_main>)
  target_include_directories(${NAME} SYSTEM PRIVATE ${DOCTEST_INCLUDE_DIR})
  target_compile_definitions(${NAME} PRIVATE ATTR_SOURCE_DIR="${CMAKE_SOURCE_DIR}" ATTR_BINARY_DIR="${CMAKE_BINARY_DIR}" DOCTEST_CONFIG_SUPER_FAST_ASSERTS)
  # Test sources run once and are many: compiling them plainly is a third of the build's time saved.
  target_compile_options(${NAME} PRIVATE -O0)
  target_precompile_headers(${NAME} REUSE_FROM attr_test_pch)
  target_link_libraries(${NAME} PRIVATE ${ARG_DEPS})
  add_test(NAME ${NAME} COMMAND ${NAME})
endfunction()

function(attr_room NAME FOLDER)
  cmake_parse_arguments(ARG "" "" "DEPS;HEADERS" ${ARGN})
  file(GLOB all CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${FOLDER}/*.cc)
  set(tests ${all})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER all EXCLUDE REGEX "_test\\.cc$")
  if(all)
    add_library(attr_${NAME} STATIC ${all})
    target_link_libraries(attr_${NAME} PUBLIC ${ARG_DEPS})
    if(ATTR_ROOM_PCH STREQUAL attr_o1_pch)
      target_compile_options(attr_${NAME} PRIVATE ${ATTR_O1})
    endif()
    if(ARG_HEADERS)
      target_precompile_headers(attr_${NAME} PRIVATE ${ATTR_COMMON_HEADERS} ${ARG_HEADERS})
    elseif(NOT NAME STREQUAL base)
      target_precompile_headers(attr_${NAME} REUSE_FROM ${ATTR_ROOM_PCH})
    endif()
  else()
    add_library(attr_${NAME} INTERFACE)
    target_link_libraries(attr_${NAME} INTERFACE ${ARG_DEPS})
  endif()
  if(tests)
    attr_test(attr_${NAME}_test SOURCES ${tests} DEPS attr_${NAME})
  endif()
endfunction()
