// Text of a transcript inside a Markdown document that weft writes around it.
#pragma once

#include <string>
#include <string_view>

namespace weft::cli {

// `text`, with what would be structure of the document escaped: headings, HTML, link definitions
// and rules. Code blocks that begin at the first column stay as they are, and one that is not
// closed is closed at the end. Everything else is Markdown, as its author wrote it.
std::string as_markdown_text(std::string_view text);

}  // namespace weft::cli
