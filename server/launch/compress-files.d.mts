/** See compress-files.mjs. */
export function compressFiles(directory: string): void
