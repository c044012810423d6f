# SPDX-License-Identifier: GPL-2.0-or-later
# One interface target for the language level, the warnings and the chosen build profile.
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(spile_flags INTERFACE)
target_compile_options(spile_flags INTERFACE -Wall -Wextra -Wshadow -Wstrict-prototypes
	-Wvla -Wmissing-prototypes -Wno-unused-parameter -Wno-missing-field-initializers)
target_compile_definitions(spile_flags INTERFACE _GNU_SOURCE)

if(SPILE_PROFILE STREQUAL "release")
	target_compile_options(spile_flags INTERFACE -O2 -g)
	target_compile_definitions(spile_flags INTERFACE NDEBUG)
else()
	target_compile_options(spile_flags INTERFACE -Og -g -Werror)
endif()
if(SPILE_PROFILE STREQUAL "asan")
	target_compile_options(spile_flags INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer
		-fno-sanitize-recover=undefined)
	target_link_options(spile_flags INTERFACE -fsanitize=address,undefined)
elseif(SPILE_PROFILE STREQUAL "ubsan")
	target_compile_options(spile_flags INTERFACE -fsanitize=undefined -fno-sanitize-recover=undefined)
	target_link_options(spile_flags INTERFACE -fsanitize=undefined)
elseif(SPILE_PROFILE STREQUAL "fuzz")
	# clang's libFuzzer: testsuite/fuzz/front.c
	target_compile_options(spile_flags INTERFACE -O1 -fsanitize=fuzzer-no-link,address,undefined
		-fno-omit-frame-pointer -fno-sanitize-recover=undefined -Wno-error)
	target_link_options(spile_flags INTERFACE -fsanitize=address,undefined)
elseif(SPILE_PROFILE STREQUAL "coverage")
	target_compile_options(spile_flags INTERFACE --coverage)
	target_link_options(spile_flags INTERFACE --coverage)
endif()

# spile_library(NAME [dependency...]): one static library of this folder's .c files, linked against the folders named.
# Headers are included as "folder/header.h", from src/, and as "runtime/uapi/header.h", from the top of the tree.
function(spile_library name)
	file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.c)
	if(NOT sources)
		return()
	endif()
	add_library(${name} STATIC ${sources})
	target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR})
	target_link_libraries(${name} PRIVATE spile_flags PUBLIC ${ARGN})
endfunction()
