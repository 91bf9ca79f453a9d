// Where the pages that hold a document have it (build.mjs). weft writes the documents: cli/hand/html_export.cpp a
// conversation and its signed thoughts into file/reader.html, query/proof/proof.cpp a proof into file/proof.html.
export const kDocumentMark = '{{DOCUMENT}}';
export const kThoughtsMark = '{{THOUGHTS}}';
export const kProofMark = '{{PROOF}}';
