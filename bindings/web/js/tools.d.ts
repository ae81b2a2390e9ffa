/** Unpacks a zip: contents by path. Refuses paths that lead out of it. */
export function unzip(bytes: Uint8Array): Promise<Map<string, Uint8Array>>;
/** Packs files by path into a zip. */
export function zip(files: Map<string, Uint8Array>): Promise<Blob>;
