import type { FuzzRequest } from './fuzz-request.ts'

/** A hundred lists, each as long as may be. */
const heaviestBatch = {
  paths: Array<string>(100).fill('posts.list').join(),
  input: JSON.stringify(
    Object.fromEntries(Array.from({ length: 100 }, (_, index) => [index, { limit: 1_000 }])),
  ),
}

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
  // It stopped the server for as long as it took to answer them all.
  ...(['whole', 'left before the answer', 'left in the answer'] as const).map((delivery): FuzzRequest => ({
    who: 'nobody',
    method: 'GET',
    target: `/trpc/${heaviestBatch.paths}?batch=1&input=${encodeURIComponent(heaviestBatch.input)}`,
    version: 'HTTP/1.1',
    headers: [],
    body: null,
    delivery,
  })),
]
