/** Endpoint that sends a few short lines at intervals, to test whether a proxy buffers responses. */
export const streamProbe = {
  path: '/healthz/stream',
  lines: 5,
  /** Delay between two lines. */
  intervalMs: 200,
  /** Response header with the number of addresses in X-Forwarded-For, one per proxy. */
  proxiesHeader: 'X-Rangoli-Proxies',
} as const
