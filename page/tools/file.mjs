// A conversation in a file that any browser opens: the built reader (OUT/file/reader.html), with the conversation in it.
//
// `document` is {conversation, outline, blocks}: the answers of /api/conversations/CONV, of …/outline, and the blocks of
// …/blocks, all of them and none cut.

export const kMark = '{{DOCUMENT}}';
export const kProofMark = '{{PROOF}}';  // of file/proof.html

// JSON in an element that is no script: nothing in it can end that element.
export function fileOf(reader, document) {
  const json = JSON.stringify(document).replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  const at = reader.indexOf(kMark);
  if (at < 0) throw new Error(`the reader has no place for a conversation (${kMark})`);
  return reader.slice(0, at) + json + reader.slice(at + kMark.length);
}
