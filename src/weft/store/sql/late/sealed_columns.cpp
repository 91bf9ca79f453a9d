#include "weft/store/sql/late/sealed_columns.hpp"

#include "weft/base/try.hpp"
#include "weft/store/pages/box_bytes.hpp"

namespace weft::store::sql {

// The canonical JSON of [table, conversation, part]; names of tables need no escapes.
std::string RowSeal::associated_data() const {
  std::string out;
  out.reserve(table_.size() + 32);
  out.append("[\"").append(table_).append("\",");
  out.append(std::to_string(conversation_)).append(",").append(std::to_string(part_)).append("]");
  return out;
}

const crypto::LayerKey* RowSeal::key_of(Portion portion) const {
  if (keyring_ == nullptr) return nullptr;
  return keyring_->layer(portion == Portion::metadata ? crypto::Layer::metadata
                                                      : crypto::Layer::content);
}

Result<std::string> RowSeal::seal(Portion portion, std::string_view plain) const {
  if (portion == Portion::clear || plain.empty()) return std::string(plain);
  const crypto::LayerKey* key = key_of(portion);
  if (key == nullptr) {
    return fail(ErrorCode::denied, "the keyring has no key for a sealed layer of this store");
  }
  return box_bytes(crypto::Box::seal(*key, associated_data(), plain));
}

Result<std::optional<std::string>> RowSeal::open(Portion portion, std::string_view column) const {
  if (portion == Portion::clear || column.empty()) return std::string(column);
  const crypto::LayerKey* key = key_of(portion);
  if (key == nullptr) return std::nullopt;
  WEFT_TRY_VALUE(const auto box, to_box(column));
  if (box.key_id != key->id()) return std::nullopt;
  WEFT_TRY_VALUE(auto plain, box.open(*key, associated_data()));
  return plain;
}

}  // namespace weft::store::sql
