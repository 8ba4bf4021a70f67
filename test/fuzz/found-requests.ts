import type { FuzzRequest } from './fuzz-request.ts'

/** A hundred lists of maximum length. */
const heaviestBatch = {
  paths: Array<string>(100).fill('posts.list').join(),
  input: JSON.stringify(
    Object.fromEntries(Array.from({ length: 100 }, (_, index) => [index, { limit: 1_000 }])),
  ),
}

/** Requests that found a defect once. */
export const foundRequests: readonly FuzzRequest[] = [
  // tRPC rejected an unreadable request with JSON of type text/plain.
  {
    who: 'anonymous',
    method: 'POST',
    target: '/trpc/posts.report?batch=1',
    version: 'HTTP/1.1',
    headers: [['Content-Type', 'text/plain']],
    body: { text: '{}', encoding: 'utf8' },
    delivery: 'whole',
  },
  // It blocked the server until all calls were done.
  ...(['whole', 'aborted before the response', 'aborted in the response'] as const).map(
    (delivery): FuzzRequest => ({
      who: 'anonymous',
      method: 'GET',
      target: `/trpc/${heaviestBatch.paths}?batch=1&input=${encodeURIComponent(heaviestBatch.input)}`,
      version: 'HTTP/1.1',
      headers: [],
      body: null,
      delivery,
    }),
  ),
  // A subscription kept its connection open for seconds after the client had asked to close it.
  {
    who: 'Asha',
    method: 'GET',
    target: `/trpc/images.watch?input=${encodeURIComponent('{"ids":[]}')}`,
    version: 'HTTP/1.1',
    headers: [],
    body: null,
    delivery: 'whole',
  },
]
