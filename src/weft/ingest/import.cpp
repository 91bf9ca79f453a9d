#include "weft/ingest/import.hpp"

#include "weft/base/try.hpp"
#include "weft/ingest/check/file_import.hpp"
#include "weft/store/replacing.hpp"

namespace weft::ingest {

Result<ImportReport> import_thoughts(store::Store& store, const crypto::Keyring* keyring,
                                     const ThoughtsFile& file, bool index_sealed, Rest rest) {
  FileImport import(store, keyring, file);
  WEFT_TRY(import.read());
  WEFT_TRY(import.check());
  ImportReport report = import.report();
  if (report.valid + report.foreign == 0) return report;
  const bool is_whole = report.refused_count == 0 && report.incomplete.empty();
  if (!is_whole && rest == Rest::is_refused) return report;
  WEFT_TRY_VALUE(
      auto committed,
      store.writer().import(import.accepted(), {.keyring = keyring, .index_sealed = index_sealed}));
  report.new_thoughts = committed.new_thoughts;
  return report;
}

Result<ImportReport> check_instead(const store::Store& store, const crypto::Keyring* keyring,
                                   const ThoughtsFile& file, const Cid& conversation) {
  FileImport import(store, keyring, file, conversation);
  WEFT_TRY(import.read());
  WEFT_TRY(import.check());
  return import.report();
}

Result<ImportReport> import_instead(store::Store& store, const crypto::Keyring* keyring,
                                    const ThoughtsFile& file, const Instead& instead,
                                    bool index_sealed) {
  FileImport import(store, keyring, file, instead.conversation);
  WEFT_TRY(import.read());
  WEFT_TRY(import.check());
  ImportReport report = import.report();
  if (report.refused_count > 0 || !report.incomplete.empty()) return report;
  WEFT_TRY_VALUE(const auto row, store.conversation(instead.conversation));
  WEFT_TRY_VALUE(auto plan, store.forgetting().plan({instead.conversation}, row.created_by));
  if (plan.conversations.front().checkpoint != instead.now) {
    return fail(ErrorCode::conflict, "conversation " + instead.conversation.brief() +
                                         " was changed by another process meanwhile; try again");
  }
  WEFT_TRY_VALUE(report.new_thoughts, import.count_new());
  WEFT_TRY(store::replacing(store).replace(
      {.plan = std::move(plan),
       .creator = row.created_by,
       .thoughts = import.accepted(),
       .tip = instead.tip,
       .turns = instead.turns,
       .indexer = {.keyring = keyring, .index_sealed = index_sealed}}));
  return report;
}

}  // namespace weft::ingest
