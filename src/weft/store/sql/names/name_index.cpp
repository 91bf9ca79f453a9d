#include "weft/store/sql/names/name_index.hpp"

namespace weft::store::sql {

Hash hash_of(const Cid& cid) {
  Hash hash = 0;
  for (std::size_t i = 0; i < sizeof hash; ++i) hash = hash << 8 | cid.digest()[i];
  return hash;
}

}  // namespace weft::store::sql
