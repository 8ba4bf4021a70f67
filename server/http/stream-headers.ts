/** Headers of what procedures answer, failures too: tRPC forgets the type where it refuses a whole request. */
export const callHeaders = {
  'Content-Type': 'application/json',
  'Cache-Control': 'private, no-cache',
} as const

/**
 * Headers of every stream. The last one has nginx hand it on as it comes, whatever its configuration says; on other
 * answers it would keep nginx from caching them.
 */
export const streamHeaders = { ...callHeaders, 'X-Accel-Buffering': 'no' } as const
