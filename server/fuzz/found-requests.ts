import type { FuzzRequest } from './fuzz-request.ts'

/** Requests that once found a fault. */
export const foundRequests: readonly FuzzRequest[] = [
  // tRPC refuses a request that it can't read in JSON, but called it text.
  {
    who: 'nobody',
    method: 'POST',
    target: '/trpc/posts.report?batch=1',
    version: 'HTTP/1.1',
    headers: [['Content-Type', 'text/plain']],
    body: { text: '{}', encoding: 'utf8' },
    delivery: 'whole',
  },
]
