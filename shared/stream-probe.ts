/** The stream by which a proxy in front of the server can be tested: a few short lines, one by one. */
export const streamProbe = {
  path: '/healthz/stream',
  lines: 5,
  /** Milliseconds between two lines. */
  interval: 200,
  /** Header of the answer: how many addresses X-Forwarded-For arrived with, one for each proxy on the way. */
  proxiesHeader: 'X-Rangoli-Proxies',
} as const
