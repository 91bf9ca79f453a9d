#include "weft/store/body.hpp"

#include <zstd.h>

#include <algorithm>
#include <memory>

#include "weft/store/store.hpp"

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
constexpr char kPackedWith1 = 1;  // the first byte of a body that was

// Bodies of 1.4 KB, in us and in the store's size: level -1 takes 2.7 less than level 1 and
// leaves 27 % more; level 3 takes 4.5 more and saves nothing.
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

const ZSTD_DDict* dictionary_to_unpack() {
  static const std::unique_ptr<ZSTD_DDict, FreeDictionary> dictionary(
      ZSTD_createDDict(kDictionary1.data(), kDictionary1.size()));
  return dictionary.get();
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
  ZSTD_CCtx_loadDictionary(context.get(), kDictionary1.data(), kDictionary1.size());
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
// out. They are as we write them, or the frame was meddled with: no checksum, no dictionary's
// name, nothing unused set; and a window only where the body is larger than ours.
bool is_header_ours(std::string_view frame) {
  constexpr std::size_t kMagicBytes = 4;
  constexpr unsigned kMeaningless = 0x1F, kSingleSegment = 0x20;
  if (frame.size() < kMagicBytes + 2) return false;
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(frame[i]); };
  if ((at(kMagicBytes) & kMeaningless) != 0) return false;
  if ((at(kMagicBytes) & kSingleSegment) != 0) return true;
  return at(kMagicBytes + 1) == (kLargeLog - 10) << 3;  // as zstd writes a window
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

}  // namespace

std::string pack_body(const json::object& content) {
  std::string clear;
  append_canonical(clear, content);
  if (clear.size() < kWorthPacking) return clear;
  // Nothing that is not smaller is kept, so this is room enough.
  thread_local std::string room;
  if (room.size() < clear.size()) room.resize(clear.size());
  const std::size_t size = ZSTD_compress2(compressor(clear.size()), room.data(), clear.size() - 1,
                                          clear.data(), clear.size());
  if (ZSTD_isError(size) || size + 1 >= clear.size()) return clear;
  std::string packed;
  packed.reserve(1 + size);
  packed += kPackedWith1;
  packed.append(room, 0, size);
  if (room.size() > kFirstBytes) std::string().swap(room);
  return packed;
}

std::string pack_ahead(const thought::Thought& thought) {
  if (thought::kind_of(thought.type) == "turn") return canonical_json(thought.content);
  return pack_body(thought.content);
}

Result<std::string_view> unpack_text(std::string_view bytes, std::string& room) {
  if (bytes.starts_with('{')) return bytes;
  if (bytes.starts_with(kPackedWith1)) {
    if (!is_header_ours(bytes.substr(1))) return damaged();
    return decompress(bytes.substr(1), dictionary_to_unpack(), room);
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

void pack(Batch& batch, const Indexer& indexer) {
  batch.bodies.resize(batch.woven.size());
  batch.terms.resize(batch.woven.size());
  batch.index_keys = keys_of(indexer);
  for (std::size_t i = 0; i < batch.woven.size(); ++i) {
    const std::vector<thought::Thought>& thoughts = batch.woven[i].thoughts;
    std::vector<std::string>& bodies = batch.bodies[i];
    bodies.reserve(thoughts.size());
    for (std::size_t at = bodies.size(); at < thoughts.size(); ++at) {
      bodies.push_back(pack_ahead(thoughts[at]));
    }
    std::vector<std::optional<ThoughtTerms>>& terms = batch.terms[i];
    terms.reserve(thoughts.size());
    for (std::size_t at = terms.size(); at < thoughts.size(); ++at) {
      terms.push_back(terms_of(thoughts[at], indexer));
    }
  }
}

}  // namespace weft::store
