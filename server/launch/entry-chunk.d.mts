import type { Rolldown } from 'vite'

/**
 * Output of the client build: one chunk for all that a page loads at first, which compresses better than a chunk for each
 * set of lazy parts that share a module. The other entries stay out.
 */
export const entryInOneChunk: Rolldown.OutputOptions
