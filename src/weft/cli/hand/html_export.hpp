// HtmlExport: a conversation as one HTML file, for people elsewhere: the reader of the page, what
// it shows, and the signed thoughts behind it, which it checks in the browser.
//
//   HtmlExport document(library, {.thinking = false}, write);
//   WEFT_TRY(document.write(conversation, subagents));
//
// Secrets are masked, so the library has a mask. A thought with a secret in its clear text leaves
// as a stub with the masked text beside it. Blocks are read and written one by one, so that the
// largest one bounds the memory, beside the outline.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/query/library.hpp"
#include "weft/thought/thought.hpp"

namespace weft::cli {

struct HtmlOptions {
  bool thinking = false;  // with the reasoning that the keyring opens
  std::optional<std::string> branch{};
};

class HtmlExport {
 public:
  using Write = std::function<void(std::string_view text)>;
  // `library` outlives it, and has a mask.
  HtmlExport(const query::Library& library, HtmlOptions options, Write write);
  ~HtmlExport();

  // The file. unavailable in a build without the page; denied if a secret stands in structure,
  // which cannot be a stub.
  Status write(const store::ConversationRow& conversation,
               const std::vector<store::ConversationRow>& subagents);

  // What was left out, one sentence each.
  std::vector<std::string> notes() const;

 private:
  Status add_conversation(const store::ConversationRow& conversation);
  Status add_thoughts(const std::vector<Cid>& conversations);
  Result<json::object> shown(json::object block);
  void put(const json::value& value);

  const query::Library& library_;
  HtmlOptions options_;
  Write write_;
  std::optional<crypto::Keyring> metadata_;  // opens the metadata layer alone
  std::uint64_t thinking_left_out_ = 0, masked_ = 0;
};

}  // namespace weft::cli
