// The authors of a Cline message with the role user. Cline wraps a person's words in a tag
// (<task>, <feedback>, <user_message>, <answer>; later <user_input mode="act">), and writes
// around them: the state of the editor (<environment_details>), what a tool gave back
// ("[read_file for 'a.txt'] Result:"), what the person is being quoted for.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weft::formats::cline {

// A text around a person's words; each part empty where there is none of it. An envelope that
// does not end goes on to the end of the text.
struct PromptOrigin {
  std::string before;                // the program's
  std::optional<std::string> words;  // the person's, without the envelope
  std::string after;                 // the program's
};
PromptOrigin find_words(std::string_view text);

// The same in what a tool gave back, which may quote anything: only an envelope that ends the
// text, and begins it or follows a line that speaks of the user, is one. <environment_details>
// at the end are `after`; `before` is what the tool gave.
PromptOrigin find_words_in_result(std::string_view text);

// Whether a text without an envelope begins as only the program's own do.
bool is_of_program(std::string_view text);

// "[read_file for 'a.txt'] Result:\n…": the tool, and what follows.
struct ResultText {
  std::string name;
  std::string_view rest;  // points into the text
};
std::optional<ResultText> parse_result_text(std::string_view text);

// The folder that <environment_details> name: "# Current Working Directory (/srv/loom) Files".
std::optional<std::string> find_directory(std::string_view text);

// The first line that says something, cut to what a title may be.
std::string title_of(std::string_view words);

}  // namespace weft::formats::cline
