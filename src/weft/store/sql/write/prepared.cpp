#include "weft/store/sql/write/prepared.hpp"

#include "weft/store/body.hpp"

namespace weft::store {

Plaintexts prepare_units(Batch& batch, const Indexer& indexer) {
  Plaintexts texts(batch.units.size());
  auto prepared = std::make_shared<PreparedUnits>();
  prepared->bodies.resize(batch.units.size());
  prepared->terms.resize(batch.units.size());
  prepared->tallies.resize(batch.units.size());
  prepared->statements.resize(batch.units.size());
  prepared->calls.resize(batch.units.size());
  prepared->secrets.resize(batch.units.size());
  const Fingerprints fingerprints(indexer.keyring);
  prepared->index_keys = keys_of(indexer);
  prepared->keyring = indexer.keyring;
  for (std::size_t i = 0; i < batch.units.size(); ++i) {
    const std::vector<thought::Thought>& thoughts = batch.units[i].thoughts;
    prepared->bodies[i].reserve(thoughts.size());
    prepared->terms[i].reserve(thoughts.size());
    prepared->tallies[i].reserve(thoughts.size());
    prepared->statements[i].reserve(thoughts.size());
    prepared->secrets[i].reserve(thoughts.size());
    texts[i].reserve(thoughts.size());
    std::vector<OpenLayers> call_layers(thoughts.size());
    for (const thought::Thought& thought : thoughts) {
      OpenLayers layers = open_own_layers(thought, indexer.keyring);
      // Terms first, and a long text dropped as soon as it is packed: of a block of 64 MB no more
      // than two copies stand beside the block.
      const ThoughtSecrets& secrets =
          prepared->secrets[i].emplace_back(secrets_of(thought, layers, fingerprints));
      prepared->terms[i].push_back(terms_of(thought, layers, indexer, secrets.places.empty()));
      prepared->tallies[i].push_back(tally_of(thought, layers));
      const bool is_block = prepared->tallies[i].back().has_value();
      prepared->statements[i].push_back(is_block ? statement_of(thought, layers) : Statement{});
      std::string& text = texts[i].emplace_back(body_text(thought.content));
      prepared->bodies[i].push_back(pack_ahead(thought, text));
      if (text.size() + layers.metadata.size() + layers.content.size() > kMaxPlaintext) {
        std::string().swap(text);
      } else {
        text += layers.metadata;
        text += layers.content;
      }
      if (call_part(thought.type) == CallPart::none) continue;
      call_layers[texts[i].size() - 1] = std::move(layers);
    }
    prepared->calls[i] = prepare_calls(thoughts, call_layers);
  }
  batch.prepared = std::move(prepared);
  return texts;
}

const PreparedUnits* find_prepared(const Batch& batch) {
  return dynamic_cast<const PreparedUnits*>(batch.prepared.get());
}

}  // namespace weft::store
