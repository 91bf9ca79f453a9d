// Framers cut bytes into records, in whatever pieces the bytes come. A framer buffers one record
// at a time, so a file of any size is read in bounded memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weft::formats {

// A larger record is reported and skipped, never buffered.
inline constexpr std::size_t kMaxRecordBytes = 64u << 20;
// Most blocks of one record; further ones are skipped. A block takes kilobytes of memory until its
// record is woven, so a record of "[1,1,1,…" must not become millions of them.
inline constexpr std::uint32_t kMaxBlocks = 20'000;
// From here on are the positions of blocks that are no element of a record's list. Stored places
// are made from them, so the number never changes.
inline constexpr std::uint32_t kBehindBlocks = 100'000;

struct Record {
  std::string_view text;     // as in the file; valid during the call only
  std::uint64_t line = 1;    // 1-based line on which it begins
  std::uint64_t offset = 0;  // byte at which it begins
  // In a JSON document: the member's name as written, empty for an element. Of an event: its name.
  std::string_view member;
  bool cut = false;    // the file ended before the record's end was seen; it may be whole
  bool stray = false;  // of a JSON document: it stands where no record belongs
};

// Called for each record in order.
using OnRecord = std::function<void(const Record&)>;
// Called for each record beyond kMaxRecordBytes: its line and size.
using OnOversize = std::function<void(std::uint64_t line, std::uint64_t bytes)>;

// Lines and offsets count from the first byte pushed. A byte order mark at the start
// is no part of a record.
class Framer {
 public:
  virtual ~Framer() = default;
  virtual void push(std::string_view bytes, const OnRecord& record, const OnOversize& oversize) = 0;
  // The file ends here, for now: the rest is a record, cut or whole. Nothing is pushed after
  // this; to resume later, use a new framer, fed from offset + text.size() of the last whole
  // record.
  virtual void end(const OnRecord& record, const OnOversize& oversize) = 0;
  // Records end with their lines: a new framer may start behind any line.
  virtual bool is_by_lines() const { return false; }
};

// One record for each line; "\n" alone ends it, one "\r" before it is dropped. Empty
// lines give no records.
std::unique_ptr<Framer> line_framer();
// The same for Adapter::frame, whatever the head of the file is.
std::unique_ptr<Framer> frame_lines(std::string_view head);

// One record for each section between lines of ten or more '='. The separator and white
// space around a section are not part of it; a section of white space gives no record.
std::unique_ptr<Framer> section_framer();

// A JSON document: an array, or an object with an array under one of `keys` (the first
// such). One record for each element, cut out by counting brackets, so that a broken
// element harms only itself; and one for each other member of the object. Members come
// before elements while the elements are within kMaxRecordBytes, whatever their order
// in the document; in a larger one they come in file order. Anything that is not such a
// document, or follows it, is one stray record.
std::unique_ptr<Framer> json_framer(std::vector<std::string> keys);

// JSON values in a row: one record for each, cut out by counting brackets. White space and commas
// between them belong to none.
std::unique_ptr<Framer> values_framer();

// The framer of a file with this head that is an array, an object with an array under `list`, or
// JSON values in a row: json_framer() or values_framer().
std::unique_ptr<Framer> frame_list(std::string_view head, std::string_view list);

// Server-sent events: one record for each event, which is the values of its "data:" lines with
// a newline between; it begins where the first of them does, and `member` is the event's name.
// Lines end with "\n", "\r\n" or "\r". Comments, ids and events without data give no records; any
// other line is a stray record.
std::unique_ptr<Framer> sse_framer();

}  // namespace weft::formats
