#include "weft/store/body.hpp"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "weft/store/searchable.hpp"

namespace weft::store {
namespace {

// What bodies are made of, so that small ones need not say it: zstd looks here first. It is
// part of the format, as version 1: never change it, add a second one.
constexpr std::string_view kDictionary1 =
    R"({"citations":[],"cut_off":false,"duration_ms":,"reasoning":"","signature":""})"
    R"({"conversation":"cid:blake3:","previous":"cid:blake3:","blocks":,"head":"","leaves":,"root":""})"
    R"({"attachment":"","kind":"document","mime":"text/plain","name":"","size":,"text":""})"
    R"({"account":"","cwd":"/home/","git_branch":"main","models":["claude-opus-4","claude-sonnet-4"],)"
    R"("project":"","summary":"","title":"","tools":[],"updated_at":1,"usage":{"cache_read":0,"cache_write":0,"input":0,"output":0}})"
    R"({"format":"claude-code","session_id":"","source":"subagent:"},"source":"primary"})"
    R"({"details":{"agentId":"","content":"","durationMs":0,"exitCode":0,"filePath":"/","filenames":[],"mode":"content",)"
    R"("newString":"","numFiles":0,"numLines":0,"oldString":"","originalFile":"","startLine":1,"structuredPatch":[{"lines":[" ",)"
    R"("newLines":0,"newStart":1,"oldLines":0,"oldStart":1}],"totalLines":0,"type":"text","userModified":false)"
    R"({"description":"","display_text":"","input":{"file_path":"/","limit":100,"offset":1,"old_string":"","new_string":"","pattern":"","replace_all":false,)"
    R"("path":"/","prompt":"","subagent_type":"general-purpose","todos":[{"activeForm":"","content":"","status":"completed","in_progress","pending"}],"url":"https://","query":""})"
    R"({"conversation":"cid:blake3:","role":"human","sequence":1,"source_id":"-4-a"},"role":"assistant","sequence":)"
    R"({"details":{"interrupted":false,"isImage":false,"stderr":""},"is_error":true,"is_error":false,"result_text":"","tool_name":"Read"})"
    R"({"description":"","input":{"command":"","description":""},"tool_name":"Bash","tool_use_id":"toolu_01"})"
    R"({"text":"the of and to in is that it for was on with as be this are )";

// Version 2 says the same after these bytes: statistics of what bodies are made of, as zstd's
// dictionaries have them (magic, name 2, tables, offsets), counted over real sessions. A body need
// not bring tables of its own then, which took half of the time of packing it.
constexpr std::array<unsigned char, 162> kStatistics2 = {
    0x37, 0xa4, 0x30, 0xec, 0x02, 0x00, 0x00, 0x00, 0x46, 0x10, 0xa0, 0xb4, 0x4d, 0x3a, 0xc3,
    0x30, 0x5c, 0x54, 0x15, 0x45, 0x51, 0x14, 0x45, 0x51, 0x1c, 0x4c, 0x84, 0x6c, 0x3a, 0x70,
    0xba, 0x5b, 0x23, 0x7b, 0xf7, 0x20, 0x7b, 0xd3, 0x36, 0xbd, 0x09, 0x21, 0x72, 0xb7, 0x6d,
    0xa3, 0xaa, 0x37, 0x3c, 0x81, 0x1f, 0xf3, 0xa1, 0xaa, 0x33, 0x11, 0xa3, 0xa8, 0xa8, 0x26,
    0x02, 0x53, 0xfd, 0xf8, 0x6d, 0x6d, 0x6d, 0x1b, 0x21, 0x36, 0x23, 0xba, 0xee, 0x20, 0xb1,
    0xa3, 0x28, 0xc0, 0x04, 0x63, 0x01, 0x18, 0x14, 0x1a, 0x1a, 0x90, 0xa8, 0x44, 0x5a, 0x9f,
    0x00, 0x00, 0x04, 0xc0, 0x80, 0x19, 0x27, 0xa3, 0x17, 0x11, 0x66, 0x02, 0x69, 0x3c, 0x12,
    0x05, 0x39, 0x0a, 0xa2, 0x28, 0x08, 0x21, 0x63, 0x8c, 0x31, 0x84, 0x00, 0x62, 0x0c, 0x91,
    0x9a, 0x99, 0x11, 0x09, 0x00, 0x00, 0x00, 0x74, 0xad, 0x67, 0x44, 0x83, 0x99, 0x3c, 0x1a,
    0x0c, 0x93, 0x20, 0x87, 0x61, 0x14, 0xc8, 0x31, 0xe5, 0x14, 0x23, 0x1a, 0x00, 0x00, 0x00,
    0x01, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00};

// The first byte of a body that was packed with one; 2 is a turn's.
constexpr char kPackedWith1 = 1, kPackedWith2 = 3;

// Level -1 leaves 27 % more, level 3 takes half as long again and saves nothing.
constexpr int kLevel = 1;
// Below this a frame's own header eats what it saves.
constexpr std::size_t kWorthPacking = 48;
constexpr int kSmallLog = 13;  // of the size of a small body
constexpr int kLargeLog = 19;  // of the window in which a large one is packed
constexpr std::size_t kMaxBodyBytes = std::size_t{1} << 30;
constexpr std::size_t kFirstBytes = std::size_t{1} << 20;

struct FreeDictionary {
  void operator()(ZSTD_DDict* dictionary) const { ZSTD_freeDDict(dictionary); }
};

using Dictionary = std::unique_ptr<ZSTD_DDict, FreeDictionary>;

std::string dictionary_2() {
  std::string bytes(kStatistics2.begin(), kStatistics2.end());
  return bytes += kDictionary1;
}

const ZSTD_DDict* dictionary_to_unpack(char packed_with) {
  static const Dictionary first(ZSTD_createDDict(kDictionary1.data(), kDictionary1.size()));
  static const Dictionary second([] {
    const std::string bytes = dictionary_2();
    return ZSTD_createDDict(bytes.data(), bytes.size());
  }());
  return packed_with == kPackedWith1 ? first.get() : second.get();
}

// Making one costs more than most bodies, so each thread keeps its own.
struct FreeContext {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

using Compressor = std::unique_ptr<ZSTD_CCtx, FreeContext>;

// zstd takes over the dictionary's tables for every body. In the size that its level asks
// for they would take longer than the body itself.
Compressor make_compressor(bool for_small) {
  Compressor context(ZSTD_createCCtx());
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, kLargeLog);
  if (for_small) {
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_windowLog, kSmallLog + 1);
    ZSTD_CCtx_setParameter(context.get(), ZSTD_c_hashLog, kSmallLog - 1);
  }
  const std::string dictionary = dictionary_2();
  ZSTD_CCtx_loadDictionary(context.get(), dictionary.data(), dictionary.size());
  return context;
}

ZSTD_CCtx* compressor(std::size_t size) {
  thread_local const Compressor small = make_compressor(true);
  thread_local const Compressor large = make_compressor(false);
  return size <= (std::size_t{1} << kSmallLog) ? small.get() : large.get();
}

ZSTD_DCtx* decompressor() {
  thread_local const std::unique_ptr<ZSTD_DCtx, FreeContext> context(ZSTD_createDCtx());
  return context.get();
}

std::unexpected<Error> damaged() {
  return fail(ErrorCode::corrupt, "the stored body cannot be read");
}

// Some bits of a frame's header mean nothing to zstd, or nothing that shows in what comes
// out. They are as we write them, or the frame was meddled with: no checksum, nothing unused set,
// a dictionary's name only if it has one, and a window only where the body is larger than ours.
bool is_header_ours(std::string_view frame, char packed_with) {
  constexpr std::size_t kMagicBytes = 4;
  constexpr unsigned kFlags = 0x1F, kNamed = 0x01, kSingleSegment = 0x20, kName = 2;
  if (frame.size() < kMagicBytes + 3) return false;
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(frame[i]); };
  const bool is_named = packed_with == kPackedWith2;
  if ((at(kMagicBytes) & kFlags) != (is_named ? kNamed : 0)) return false;
  std::size_t next = kMagicBytes + 1;
  const bool has_window = (at(kMagicBytes) & kSingleSegment) == 0;
  if (has_window && at(next++) != (kLargeLog - 10) << 3) return false;  // as zstd writes it
  return !is_named || at(next) == kName;
}

// The size in a damaged header may be anything, so room is made as bytes come.
Result<std::string_view> decompress(std::string_view bytes, const ZSTD_DDict* dictionary,
                                    std::string& out) {
  const unsigned long long told = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (told == ZSTD_CONTENTSIZE_ERROR || told == ZSTD_CONTENTSIZE_UNKNOWN || told > kMaxBodyBytes) {
    return damaged();
  }
  out.resize(std::min<std::size_t>(told, kFirstBytes));
  ZSTD_DCtx* context = decompressor();
  ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
  ZSTD_DCtx_refDDict(context, dictionary);
  if (told <= kFirstBytes) {
    const std::size_t made =
        ZSTD_decompressDCtx(context, out.data(), out.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(made) || made != told) return damaged();
    return out;
  }
  ZSTD_inBuffer input{bytes.data(), bytes.size(), 0};
  std::size_t made = 0;
  for (;;) {
    ZSTD_outBuffer output{out.data(), out.size(), made};
    const std::size_t left = ZSTD_decompressStream(context, &output, &input);
    if (ZSTD_isError(left)) return damaged();
    const bool stuck = output.pos == made && input.pos == input.size;
    made = output.pos;
    if (left == 0) break;
    if (stuck) return damaged();
    if (made == out.size()) {
      if (out.size() >= told) return damaged();
      out.resize(std::min<std::size_t>(out.size() * 2, told));
    }
  }
  if (made != told || input.pos != input.size) return damaged();
  out.resize(made);
  return out;
}

std::string pack_text(std::string_view clear) {
  if (clear.size() < kWorthPacking) return std::string(clear);
  // Nothing that is not smaller is kept, so this is room enough.
  thread_local std::string room;
  if (room.size() < clear.size()) room.resize(clear.size());
  const std::size_t size = ZSTD_compress2(compressor(clear.size()), room.data(), clear.size() - 1,
                                          clear.data(), clear.size());
  if (ZSTD_isError(size) || size + 1 >= clear.size()) return std::string(clear);
  std::string packed;
  packed.reserve(1 + size);
  packed += kPackedWith2;
  packed.append(room, 0, size);
  if (room.size() > kFirstBytes) std::string().swap(room);
  return packed;
}

}  // namespace

std::string body_text(const json::object& content) {
  thread_local std::string room;  // so that what is given away is no longer than it must be
  room.clear();
  append_canonical(room, content);
  if (room.size() > kFirstBytes) return std::exchange(room, {});  // not a second time
  return room;
}

std::string pack_body(const json::object& content) { return pack_text(body_text(content)); }

std::string pack_ahead(const thought::Thought& thought, std::string_view text) {
  return thought::kind_of(thought.type) == "turn" ? std::string(text) : pack_text(text);
}

std::string pack_ahead(const thought::Thought& thought) {
  return pack_ahead(thought, body_text(thought.content));
}

Result<std::string_view> unpack_text(std::string_view bytes, std::string& room) {
  if (bytes.starts_with('{')) return bytes;
  if (bytes.starts_with(kPackedWith1) || bytes.starts_with(kPackedWith2)) {
    if (!is_header_ours(bytes.substr(1), bytes.front())) return damaged();
    return decompress(bytes.substr(1), dictionary_to_unpack(bytes.front()), room);
  }
  return decompress(bytes, nullptr, room);  // as the first stores have it
}

Result<json::object> unpack_body(std::string_view bytes) {
  std::string room;
  const Result<std::string_view> text = unpack_text(bytes, room);
  if (!text) return fail(Error(text.error()));
  return parse_body(*text);
}

Result<json::object> parse_body(std::string_view text) {
  Result<ParsedJson> parsed = parse_json(text);
  if (!parsed || !parsed->value.is_object()) return damaged();
  return std::move(parsed->value.get_object());
}

std::string plainbody_text(const thought::Thought& thought, const crypto::Keyring* keyring) {
  const OpenLayers layers = open_own_layers(thought, keyring);
  return body_text(thought.content) + layers.metadata + layers.content;
}

std::string plaintext_of(const thought::Thought& thought, const crypto::Keyring* keyring) {
  const OpenLayers layers = open_own_layers(thought, keyring);
  return body_text(thought.content) + layers.metadata + layers.content;
}

}  // namespace weft::store
