// Paths and settings of the tests. Every test program reads this before all else. They are no
// macros of the command line, so a test is compiled to the same bytes wherever the tree lies, and
// ccache finds it again.
#pragma once

#define WEFT_SOURCE_DIR weft_source_dir
#define WEFT_BINARY weft_binary()
#define WEFT_WITH_PARROT weft_with_parrot

extern const char weft_source_dir[];   // the repository's
extern const char weft_with_parrot[];  // the program with one more adapter

// The program that whole-program tests run: the environment's WEFT_TESTED, else the one that the
// preset names (./test: the release build).
const char* weft_binary();
// Whether a sanitizer is built into that program; its memory is not measured then.
bool weft_is_sanitized();

// The seed of tests that look at a random sample: the environment's WEFT_SEED, else a random one.
// A test that uses it prints it.
unsigned test_seed();

// Whether tests that usually look at a tenth of their cases look at all of them: `./test long` sets
// WEFT_LONG.
bool test_is_long();
