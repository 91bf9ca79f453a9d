// Names that the build writes in (build.mjs).
declare const WEFT_WORKER: string;
declare const WEFT_LICENCES: string;
