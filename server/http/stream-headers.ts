/**
 * Headers of every stream. The last one has nginx hand it on as it comes, whatever its configuration says; on other
 * answers it would keep nginx from caching them.
 */
export const streamHeaders = {
  'Content-Type': 'application/json',
  'Cache-Control': 'private, no-cache',
  'X-Accel-Buffering': 'no',
} as const
