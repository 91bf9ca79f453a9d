#include "weft/ingest/ingest.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "weft/formats/adapter.hpp"
#include "weft/ingest/in_flight.hpp"
#include "weft/ingest/pipeline.hpp"
#include "weft/ingest/source_file.hpp"
#include "weft/thought/weaver.hpp"

namespace weft::ingest {
namespace {

constexpr std::size_t kChunkBytes = 1u << 20;
constexpr int kMaxRounds = 8;  // for files that another writer was at too

// One run over a list of files.
class Ingest {
 public:
  Ingest(store::Store& store, const crypto::Keyring& keyring, const Options& options)
      : options_(options),
        cast_(keyring, options.human),
        memory_(store,
                [this] {
                  send();
                  pipeline_.drain();
                }),
        pipeline_(store, [this](const Load& load, const Result<store::Committed>& committed) {
          arrived(load, committed);
        }) {}

  Result<Report> run() {
    progress_.files_total = options_.paths.size();
    for (const auto& path : options_.paths) {
      std::error_code ignored;
      const std::uintmax_t size = std::filesystem::file_size(path, ignored);
      if (!ignored) progress_.bytes_total += size;
    }
    std::vector<std::size_t> files(options_.paths.size());
    for (std::size_t i = 0; i < files.size(); ++i) files[i] = i;
    for (int round = 0; !files.empty(); ++round) {
      if (round == kMaxRounds) {
        return fail(ErrorCode::unavailable,
                    "other writers keep changing the same conversations; try again");
      }
      for (const std::size_t file : files) {
        take_file(file, round == 0);
        if (std::optional<Error> failure = pipeline_.failure()) return fail(*std::move(failure));
      }
      send();
      pipeline_.drain();
      if (std::optional<Error> failure = pipeline_.failure()) return fail(*std::move(failure));
      // Woven on a state that another writer changed meanwhile: once more, on the new one.
      files = std::exchange(again_, {});
      std::ranges::sort(files);
      const auto rest = std::ranges::unique(files);
      files.erase(rest.begin(), rest.end());
    }
    return finished_report();
  }

 private:
  void take_file(std::size_t number, bool first_round) {
    const std::filesystem::path& path = options_.paths[number];
    const auto skip = [&](std::uint64_t line, std::string reason) {
      if (first_round) report_.skipped.push_back({path.string(), line, std::move(reason)});
    };
    Result<SourceFile> file = SourceFile::open(path);
    if (!file) return skip(0, file.error().message);
    std::string buffer;
    Result<std::string_view> chunk = file->read(buffer, kChunkBytes);
    if (!chunk) return skip(0, chunk.error().message);
    if (chunk->empty()) return skip(0, "the file is empty");
    const std::string_view head = formats::head_of(*chunk);
    Result<const formats::Adapter*> adapter = choose_adapter(head);
    if (!adapter) return skip(0, adapter.error().message);

    thought::Weaver weaver(cast_, memory_);
    const auto framer = (*adapter)->frame(head);
    const auto reader =
        (*adapter)->open({.name = path.filename().string(), .model = options_.model});
    const formats::OnRecord on_record = [&](const formats::Record& record) {
      reader->read(record, weaver);
    };
    const formats::OnOversize on_oversize = [&](std::uint64_t line, std::uint64_t bytes) {
      weaver.skip(formats::skipped_oversize(line, bytes));
    };
    std::uint64_t bytes = 0;
    while (!chunk->empty()) {
      bytes += chunk->size();
      framer->push(*chunk, on_record, on_oversize);
      take_woven(weaver, number);
      tell_progress(chunk->size());
      chunk = file->read(buffer, kChunkBytes);
      if (!chunk) {
        skip(0, "could not be read to its end: " + chunk.error().message);
        break;
      }
    }
    framer->end(on_record, on_oversize);
    reader->finish(weaver);
    take_woven(weaver, number, true);
    close_file(weaver, path, bytes, first_round);
  }

  Result<const formats::Adapter*> choose_adapter(std::string_view head) const {
    if (!options_.format) return formats::recognise(head);
    const formats::Adapter* adapter = formats::find_adapter(*options_.format);
    if (adapter != nullptr) return adapter;
    return fail(ErrorCode::invalid_input, "there is no format " + *options_.format);
  }

  // Moves what is woven into the load; small files share one, a large one fills several.
  void take_woven(thought::Weaver& weaver, std::size_t file, bool all = false) {
    const std::size_t bytes = weaver.pending_bytes();
    if (!all && load_bytes_ + bytes < options_.commit_bytes) return;
    for (thought::Woven& woven : weaver.take(options_.clock())) {
      memory_.set_out(load_.number, woven);  // known to whatever is woven from now on
      load_.batch.woven.push_back(std::move(woven));
    }
    load_bytes_ += bytes;
    if (load_.files.empty() || load_.files.back() != file) load_.files.push_back(file);
    if (load_bytes_ >= options_.commit_bytes) send();
  }

  void send() {
    if (load_.batch.woven.empty()) return;
    const std::uint64_t next = load_.number + 1;
    pipeline_.push(std::exchange(load_, {}));
    load_.number = next;
    load_bytes_ = 0;
  }

  // On the committing thread.
  void arrived(const Load& load, const Result<store::Committed>& committed) {
    const std::lock_guard lock(mutex_);
    if (committed) {
      for (std::size_t i = 0; i < load.batch.woven.size(); ++i) {
        new_thoughts_[load.batch.woven[i].conversation] += committed->new_by_woven[i];
      }
    } else if (committed.error().code == ErrorCode::unavailable) {
      again_.insert(again_.end(), load.files.begin(), load.files.end());
    }
    memory_.arrive(load.number);
  }

  void close_file(thought::Weaver& weaver, const std::filesystem::path& path, std::uint64_t bytes,
                  bool first_round) {
    for (const Cid& cid : weaver.conversations()) {
      if (met_.insert(cid).second) report_.conversations.push_back({.cid = cid});
    }
    if (!first_round) return;
    thought::Weaver::Report told = weaver.take_report();
    for (transcript::Skipped& skipped : told.skipped) {
      report_.skipped.push_back({path.string(), skipped.line, std::move(skipped.reason)});
    }
    if (told.repairs > 0) {
      report_.warnings.push_back(path.string() + ": " + std::to_string(told.repairs) +
                                 " broken characters were replaced by U+FFFD");
    }
    ++progress_.files;
    if (weaver.conversations().empty()) return;
    ++report_.files;
    report_.bytes += bytes;
  }

  void tell_progress(std::uint64_t bytes) {
    progress_.bytes += bytes;
    if (options_.progress) options_.progress(progress_);
  }

  Report finished_report() {
    for (TakenConversation& taken : report_.conversations) {
      taken.new_thoughts = new_thoughts_[taken.cid];
      report_.new_thoughts += taken.new_thoughts;
    }
    return std::move(report_);
  }

  const Options& options_;
  thought::Cast cast_;
  Report report_;
  Progress progress_;
  std::set<Cid> met_;
  Load load_;
  std::size_t load_bytes_ = 0;

  std::mutex mutex_;
  std::map<Cid, std::uint64_t> new_thoughts_;  // guarded by mutex_
  std::vector<std::size_t> again_;             // guarded by mutex_; read when drained

  InFlight memory_;
  Pipeline pipeline_;  // last: it calls arrived() until it is gone
};

}  // namespace

Result<Report> ingest(store::Store& store, const crypto::Keyring& keyring, const Options& options) {
  return Ingest(store, keyring, options).run();
}

}  // namespace weft::ingest
