#include "weft/ingest/ingest.hpp"

#include <chrono>

#include "weft/ingest/run/ingest_run.hpp"

namespace weft::ingest {
namespace {

using Clock = std::chrono::steady_clock;

// A forget that another process could not finish is looked for at the start and this often: looking
// opens a connection, which would cost more than a small run.
constexpr std::chrono::minutes kScrubCheckEvery{10};

}  // namespace

struct Ingester::Parts {
  Parts(store::Store& into, const crypto::Keyring& keys, const Options& options)
      : store(into),
        keyring(keys),
        seal(keys),
        identities(keys, options.human),
        queue(into, seal, {.keyring = &keys, .index_sealed = options.index_sealed},
              options.at_once) {}

  Result<Report> run(const Options& options);
  // Removes from the store's files what was forgotten, if anything is left of it.
  void scrub(Report& report);

  store::Store& store;
  const crypto::Keyring& keyring;
  const SourceSeal seal;
  thought::Identities identities;
  CommitQueue queue;
  std::string buffer;
  bool is_scrub_due = true;
  Clock::time_point next_scrub_check{};
};

Result<Report> Ingester::Parts::run(const Options& options) {
  // However the run ends, the next one begins with an empty queue.
  struct EndRun {
    CommitQueue& queue;
    ~EndRun() { queue.end_run(); }
  } const end_run{queue};
  queue.begin_run(options.commit_bytes);
  RunReport report(options.progress);
  RunContext context{.options = options,
                     .store = store,
                     .keyring = keyring,
                     .seal = seal,
                     .identities = identities,
                     .queue = queue,
                     .buffer = buffer,
                     .is_scrub_due = is_scrub_due,
                     .report = report};
  return IngestRun(context).run();
}

void Ingester::Parts::scrub(Report& report) {
  const Clock::time_point now = Clock::now();
  if (!is_scrub_due && now < next_scrub_check) return;
  const Result<bool> scrubbed = store.forgetting().scrub();
  is_scrub_due = !scrubbed || !*scrubbed;
  next_scrub_check = now + kScrubCheckEvery;
  if (!is_scrub_due) return;
  report.warnings.push_back(
      "what was forgotten is still in the store's files: " +
      (scrubbed ? "another process reads an older state" : scrubbed.error().message));
}

Ingester::Ingester(store::Store& store, const crypto::Keyring& keyring, const Options& options)
    : parts_(std::make_unique<Parts>(store, keyring, options)) {}

Ingester::~Ingester() = default;

Result<Report> Ingester::ingest(const Options& options) {
  Result<Report> report = parts_->run(options);
  // A caller that stopped it does not wait for a scrub.
  if (report && !report->stopped) parts_->scrub(*report);
  return report;
}

Result<Report> ingest(store::Store& store, const crypto::Keyring& keyring, const Options& options) {
  return Ingester(store, keyring, options).ingest(options);
}

}  // namespace weft::ingest
