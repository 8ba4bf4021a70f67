import { TRPCClientError } from '@trpc/client'
import type { PostPage } from '../../shared/posts.ts'
import type { AppRouter } from '../../server/trpc/router.ts'
import type { Credential, TestServer } from './test-server.ts'
import { follow, GenerationError } from './trpc-client.ts'

/** Result of a call on either transport. */
interface CallResult {
  readonly status: number
  /** Error message; null on success. */
  readonly error: string | null
  /** Seconds; null if the response has none. */
  readonly retryAfter: number | null
}

/** Page of posts, newest first, with the cursor of the next page. */
interface ListResponse extends CallResult {
  readonly posts: readonly { readonly name: string; readonly prompt: string }[]
  readonly next: string | null
}

/** Adapter that calls the server through tRPC or REST. String bodies are sent unchanged. */
export interface Transport {
  readonly name: 'tRPC' | 'REST'
  share(server: TestServer, body: unknown, credential?: Credential): Promise<CallResult>
  generate(
    server: TestServer,
    body: { readonly prompt: unknown; readonly [option: string]: unknown },
    credential?: Credential,
    requestKey?: string,
  ): Promise<CallResult>
  list(
    server: TestServer,
    query: { search?: string; cursor?: string; limit?: number | string },
  ): Promise<ListResponse>
  /** Paths of the endpoints. */
  readonly addresses: { readonly share: string; readonly generate: string }
}

const succeeded = { status: 200, error: null, retryAfter: null }

/** For tests of rules, which both transports share. */
export const trpcTransport: Transport = {
  name: 'tRPC',
  addresses: { share: '/trpc/posts.create', generate: '/trpc/images.generate' },

  async share(server, body, credential) {
    return readTrpc(await server.postJson('/trpc/posts.create', body, credential))
  },

  async generate(server, body, credential, requestKey) {
    try {
      const input = { ...body, ...(requestKey !== undefined && { requestKey }) } as { prompt: string }
      await follow(server.client(server.headersOf(credential)), input).ended
      return succeeded
    } catch (error) {
      if (error instanceof GenerationError) {
        const { httpStatus, retryAfter } = error.data
        return { status: httpStatus, error: error.message, retryAfter: retryAfter ?? null }
      }
      if (!isTrpcError(error)) throw error
      return {
        status: error.data?.httpStatus ?? 0,
        error: error.message,
        retryAfter: retryAfterOf(error.data),
      }
    }
  },

  async list(server, query) {
    const response = await server.request(
      `/trpc/posts.list?input=${encodeURIComponent(JSON.stringify(query))}`,
    )
    const result = await readTrpc(response.clone())
    if (result.error !== null) return { ...result, posts: [], next: null }
    const body = (await response.json()) as { result: { data: PostPage } }
    return { ...result, posts: body.result.data.posts, next: body.result.data.nextCursor }
  },
}

const restTransport: Transport = {
  name: 'REST',
  addresses: { share: '/api/v1/post', generate: '/api/v1/imgGenerate' },

  async share(server, body, credential) {
    return readRest(await server.postJson('/api/v1/post', body, credential))
  },

  async generate(server, body, credential, requestKey) {
    const headers: Record<string, string> = requestKey === undefined ? {} : { 'idempotency-key': requestKey }
    return readRest(await server.postJson('/api/v1/imgGenerate', body, credential, headers))
  },

  async list(server, { search, cursor, limit }) {
    const query = new URLSearchParams()
    if (search !== undefined) query.set('search', search)
    if (cursor !== undefined) query.set('before', cursor)
    if (limit !== undefined) query.set('limit', String(limit))
    const response = await server.request(`/api/v1/post?${query}`)
    const result = await readRest(response.clone())
    if (result.error !== null) return { ...result, posts: [], next: null }
    const { data } = (await response.json()) as { data: ListResponse['posts'] }
    return { ...result, posts: data.toReversed(), next: cursorOf(response) }
  },
}

export const transports: readonly Transport[] = [trpcTransport, restTransport]

/** Combines cases with transports, for `test.each`. */
export function forEachTransport<Case extends object>(
  cases: readonly Case[],
): (Case & { transport: Transport })[] {
  return cases.flatMap((row) => transports.map((transport) => Object.assign({ transport }, row)))
}

/** Returns the cursor in the `Link` header of the next page; null without one. */
export function cursorOf(response: Response): string | null {
  const link = response.headers.get('link')
  if (link === null) return null
  const address = /^<([^>]+)>; rel="next"$/.exec(link)?.[1]
  if (!address) throw new Error(`Not a link to the next page: ${link}`)
  return new URL(address).searchParams.get('before')
}

async function readTrpc(response: Response): Promise<CallResult> {
  const body = (await response.json()) as { error?: { message: string; data: unknown } }
  return {
    status: response.status,
    error: body.error?.message ?? null,
    retryAfter: retryAfterOf(body.error?.data),
  }
}

async function readRest(response: Response): Promise<CallResult> {
  const body = (await response.json()) as { success: boolean; error?: string }
  if (body.success !== response.ok) throw new Error(`'success' contradicts the status ${response.status}.`)
  const seconds = response.headers.get('retry-after')
  return {
    status: response.status,
    error: body.error ?? null,
    retryAfter: seconds === null ? null : Number(seconds),
  }
}

function isTrpcError(error: unknown): error is TRPCClientError<AppRouter> {
  return error instanceof TRPCClientError
}

function retryAfterOf(data: unknown): number | null {
  const { retryAfter } = (data ?? {}) as { retryAfter?: number }
  return retryAfter ?? null
}
