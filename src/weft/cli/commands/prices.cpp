// weft prices: shows the prices of models, and imports a table of prices.
#include <fmt/format.h>

#include <memory>

#include "weft/base/file.hpp"
#include "weft/cli/app/command.hpp"
#include "weft/cli/app/config.hpp"
#include "weft/cli/render/rendering.hpp"
#include "weft/cli/render/table.hpp"
#include "weft/query/cost/load_prices.hpp"

namespace weft::cli {
namespace {

struct Options {
  std::string file;
};

std::string rate(double dollars) { return fmt::format("{:g}", dollars); }

std::string to_table(const query::PriceTable& prices, const Style& style) {
  Table table({{.title = "model", .flexible = true},
               {.title = "from"},
               {.title = "above", .align = Align::right},
               {.title = "input", .align = Align::right},
               {.title = "output", .align = Align::right},
               {.title = "cache read", .align = Align::right},
               {.title = "write 5m", .align = Align::right},
               {.title = "write 1h", .align = Align::right},
               {.title = "source"}});
  for (const query::Price& row : prices.rows()) {
    table.add({row.model, row.from, row.above == 0 ? "" : std::to_string(row.above),
               rate(row.input), rate(row.output), rate(cache_read_rate(row)),
               rate(cache_write_5m_rate(row)), rate(cache_write_1h_rate(row)), row.source});
  }
  return table.str(style);
}

json::object to_answer(const query::PriceTable& prices) {
  json::array rows;
  for (const query::Price& row : prices.rows()) {
    rows.emplace_back(
        json::object{{"model", row.model},
                     {"from", row.from.empty() ? json::value() : json::value(row.from)},
                     {"above", row.above},
                     {"input", row.input},
                     {"output", row.output},
                     {"cache_read", cache_read_rate(row)},
                     {"cache_write_5m", cache_write_5m_rate(row)},
                     {"cache_write_1h", cache_write_1h_rate(row)},
                     {"source", row.source}});
  }
  return {{"hash", prices.hash()}, {"prices", std::move(rows)}};
}

// Writes the rows of a file of another project into the home.
Answer import_file(const Context& context, const std::string& file) {
  Result<std::string> text = read_file(file);
  if (!text) return refuse(std::move(text).error());
  const std::string name = std::filesystem::path(file).filename().string();
  Result<std::vector<query::Price>> rows = query::import_prices(*text, name);
  if (!rows) return refuse(std::move(rows).error().within("importing prices from " + file));
  const std::size_t count = rows->size();
  query::PriceTable imported;
  imported.replace(*std::move(rows));
  const std::filesystem::path path = context.home().directory / query::kPricesFile;
  if (const Status written = write_file_atomically(path, imported.text(), 0644); !written) {
    return refuse(written.error());
  }
  if (context.json()) {
    context.print_json(json::object{{"imported", count}, {"file", path.string()}});
  } else {
    context.print(fmt::format("{} prices written to {}\n", count, path.string()));
  }
  return Exit::done;
}

Answer prices(const Context& context, const Options& options) {
  if (!options.file.empty()) return import_file(context, options.file);
  const Result<Config> config = read_config(context.home(), context.environment());
  if (!config) return refuse(config.error());
  const auto table = query::load_prices(context.home().directory, config->prices);
  if (!table) return refuse(table.error());
  if (context.json()) {
    context.print_json(to_answer(*table));
  } else {
    context.print(to_table(*table, context.style()));
    context.note("dollars per million tokens; " + table->hash());
  }
  return Exit::done;
}

Action prepare(Arguments& arguments) {
  auto options = std::make_shared<Options>();
  arguments.add("--import", options->file,
                "Take the prices of this file: LiteLLM's model_prices_and_context_window.json, or "
                "api.json of models.dev",
                {.value = "FILE"});
  return [options](Context& context) { return prices(context, *options); };
}

}  // namespace

const Command& prices_command() {
  static const Command command = {
      .name = "prices",
      .group = Group::ask,
      .summary = "show the prices of models, or import a table of prices",
      .about =
          "Shows what weft cost charges: dollars per million tokens, by model, from a day on, and\n"
          "for requests above a size. Prices come from the program, from prices.tsv in the home\n"
          "(--import writes it; nothing is downloaded), and from \"prices\" in config.json, which\n"
          "wins: {\"prices\": {\"my-model\": {\"input\": 3, \"output\": 15}}}.",
      .examples =
          "weft prices\n"
          "weft prices --import model_prices_and_context_window.json\n"
          "weft prices --json | jq .hash",
      .see_also = "weft cost",
      .prepare = prepare,
  };
  return command;
}

}  // namespace weft::cli
