// Embeds the built page in the program: node embed_page.mjs BUILT TABLE ASSEMBLY
//
// The assembly includes the bytes of each file and its compressed forms; the C++ has the table of
// them (src/weft/page/site/files.hpp).
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const [built, table, assembly] = process.argv.slice(2).map((path) => resolve(path));
const manifest = JSON.parse(readFileSync(join(built, 'manifest.json'), 'utf8'));

const symbols = [];
// The expression of a file's bytes in C++; "" for one that does not exist.
function lend(path) {
  if (!existsSync(path)) return '{}';
  const name = `weft_page_${symbols.length}`;
  symbols.push({ name, path });
  return `between(${name}, ${name}_end)`;
}

const rows = manifest.files.map(({ path, type, sha256 }) => {
  const file = join(built, path);
  const shown = path === 'index.html' ? '/' : `/${path}`;
  return `    {.path = ${JSON.stringify(shown)}, .type = ${JSON.stringify(type)}, .hash = "${sha256}",
     .bytes = ${lend(file)}, .gzip = ${lend(`${file}.gz`)}, .brotli = ${lend(`${file}.br`)}},`;
});

const proof = lend(join(built, 'file', 'proof.html'));
const reader = lend(join(built, 'file', 'reader.html'));

writeFileSync(assembly, `${symbols.map(({ name, path }) => `    .section .rodata
    .global ${name}
    .global ${name}_end
    .balign 16
${name}:
    .incbin ${JSON.stringify(path)}
${name}_end:
    .byte 0
`).join('')}    .section .note.GNU-stack,"",%progbits
`);

writeFileSync(table, `// Written by cmake/embed_page.mjs.
#include <array>

#include "weft/page/site/files.hpp"

extern "C" {
${symbols.map(({ name }) => `extern const char ${name}[], ${name}_end[];`).join('\n')}
}

namespace weft::page {
namespace {

std::string_view between(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace

std::span<const File> all_files() {
  static const std::array<File, ${rows.length}> files = {{
${rows.join('\n')}
  }};
  return files;
}

std::string_view build_of_page() { return "${manifest.build}"; }
std::string_view proof_page() { return ${proof}; }
std::string_view reader_page() { return ${reader}; }

}  // namespace weft::page
`);
