// Where the tests find what they need. Every test program reads this before all else. These are no
// macros of the command line: so a test is compiled to the same bytes wherever the tree lies, and
// ccache knows it again.
#pragma once

#define WEFT_SOURCE_DIR weft_source_dir
#define WEFT_BINARY weft_binary
#define WEFT_WITH_PARROT weft_with_parrot

extern const char weft_source_dir[];   // the repository's
extern const char weft_binary[];       // the program
extern const char weft_with_parrot[];  // the same with one more adapter
