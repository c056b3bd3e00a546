# attr_room(NAME FOLDER DEPS ...): the library attr_NAME from FOLDER/*.cc and, from
# FOLDER/*_test.cc beside them, the doctest program attr_NAME_test. A new file in a
# room needs no edit here.
set(ATTR_TEST_MAIN ${CMAKE_SOURCE_DIR}/tests/doctest_main.cc)
add_library(attr_test_main OBJECT ${ATTR_TEST_MAIN})
target_include_directories(attr_test_main PRIVATE ${DOCTEST_INCLUDE_DIR})

add_library(attr_llvm INTERFACE)
target_include_directories(attr_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_libraries(attr_llvm INTERFACE LLVM)

function(attr_test NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPS" ${ARGN})
  add_executable(${NAME} ${ARG_SOURCES} $<TARGET_OBJECTS:attr_test_main>)
  target_include_directories(${NAME} SYSTEM PRIVATE ${DOCTEST_INCLUDE_DIR})
  target_compile_definitions(${NAME} PRIVATE ATTR_SOURCE_DIR="${CMAKE_SOURCE_DIR}" ATTR_BINARY_DIR="${CMAKE_BINARY_DIR}")
  # Test sources run once and are many: compiling them plainly is a third of the build's time saved.
  target_compile_options(${NAME} PRIVATE -O0)
  target_link_libraries(${NAME} PRIVATE ${ARG_DEPS})
  add_test(NAME ${NAME} COMMAND ${NAME})
endfunction()

function(attr_room NAME FOLDER)
  cmake_parse_arguments(ARG "" "" "DEPS" ${ARGN})
  file(GLOB all CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${FOLDER}/*.cc)
  set(tests ${all})
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER all EXCLUDE REGEX "_test\\.cc$")
  if(all)
    add_library(attr_${NAME} STATIC ${all})
    target_link_libraries(attr_${NAME} PUBLIC ${ARG_DEPS})
  else()
    add_library(attr_${NAME} INTERFACE)
    target_link_libraries(attr_${NAME} INTERFACE ${ARG_DEPS})
  endif()
  if(tests)
    attr_test(attr_${NAME}_test SOURCES ${tests} DEPS attr_${NAME})
  endif()
endfunction()
