// Uploads of a claude.ai message: `attachments` with the text extracted from them, and
// `files` and `files_v2`, which name files whose bytes the export does not have. The three
// overlap; a file is emitted once, with all that is known of it.
#include <algorithm>
#include <utility>

#include "weft/formats/adapters/claude_export/claude_export.hpp"
#include "weft/formats/reading/members.hpp"

namespace weft::formats::claude_export {
namespace {

using transcript::Attachment;

// Each is compared with those before it.
constexpr std::size_t kMaxUploads = 10'000;

// {file_name, file_size, file_type, extracted_content}
Attachment parse_upload(const json::object& upload) {
  Attachment attachment{.kind = "document", .name = find_words(upload, "file_name")};
  attachment.text = find_words(upload, "extracted_content");
  if (const auto size = find_int(upload, "file_size"); size && *size >= 0) {
    attachment.size = static_cast<std::uint64_t>(*size);
  }
  if (const auto type = find_words(upload, "file_type")) {
    if (type->contains('/')) {
      attachment.mime = *type;
    } else {
      attachment.extra = json::object{{"file_type", *type}};  // "txt"
    }
  }
  return attachment;
}

// {file_name, file_uuid, file_kind}, or a name alone.
Attachment parse_file(const json::value& file) {
  if (file.is_string()) return {.kind = "file", .name = std::string(view(file.get_string()))};
  const json::object* object = file.if_object();
  if (object == nullptr) return {.kind = "file"};
  const std::string kind = find_words(*object, "file_kind").value_or("");
  Attachment attachment{.kind = kind == "image" || kind == "document" ? kind : "file",
                        .name = find_words(*object, "file_name")};
  for (const std::string_view key : {"file_uuid", "uuid", "id"}) {
    if (!attachment.reference) attachment.reference = find_words(*object, key);
  }
  return attachment;
}

bool is_empty(const Attachment& attachment) {
  return !attachment.name && !attachment.text && !attachment.reference;
}

bool is_same(const Attachment& a, const Attachment& b) {
  return a.reference && b.reference ? a.reference == b.reference : a.name && a.name == b.name;
}

class Uploads {
 public:
  Uploads(std::uint64_t line, BlockList& blocks) : line_(line), blocks_(blocks) {}

  // Those of one list are all different, whatever their names are.
  template <class Parse>
  void add(const json::array* list, Parse parse) {
    const std::size_t before = uploads_.size();
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      if (uploads_.size() == kMaxUploads) {
        blocks_.leave_out("too large: too many files", line_);
        return;
      }
      add_one(parse((*list)[i]), before);
    }
  }

  void emit(transcript::Author sender) {
    for (Attachment& upload : uploads_) blocks_.add(sender, std::move(upload));
  }

 private:
  void add_one(Attachment upload, std::size_t before) {
    if (is_empty(upload)) {
      blocks_.leave_out(kEmptyBlock, line_);
      return;
    }
    const auto end = uploads_.begin() + static_cast<std::ptrdiff_t>(before);
    const auto same = std::find_if(uploads_.begin(), end,
                                   [&](const auto& known) { return is_same(known, upload); });
    if (same == end) {
      uploads_.push_back(std::move(upload));
    } else if (!same->reference) {
      same->reference = std::move(upload.reference);
      if (!same->text) same->kind = std::move(upload.kind);
    }
  }

  std::uint64_t line_;
  BlockList& blocks_;
  std::vector<Attachment> uploads_;
};

}  // namespace

void add_uploads(const json::object& message, transcript::Author sender, std::uint64_t line,
                 BlockList& blocks) {
  Uploads uploads(line, blocks);
  uploads.add(find_array(message, "attachments"), [](const json::value& upload) {
    const json::object* object = upload.if_object();
    return object == nullptr ? parse_file(upload) : parse_upload(*object);
  });
  uploads.add(find_array(message, "files"), parse_file);
  uploads.add(find_array(message, "files_v2"), parse_file);
  uploads.emit(sender);
}

}  // namespace weft::formats::claude_export
