import { networkErrorOf } from '../../engines/engine-error.ts'

export type Answer =
  | { readonly status: number; readonly headers: Headers; readonly text: string }
  /** The system's code, such as `ECONNREFUSED`, or `no answer in time`. */
  | { readonly error: string }

interface RequestOptions {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly timeoutMs?: number
  readonly onChunk?: () => void
}

/** Sends a request and reads the response. Follows no redirect; a network error is a result too. */
export async function request(
  url: string | URL,
  { timeoutMs = 10_000, onChunk, headers, ...init }: RequestOptions = {},
): Promise<Answer> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      ...init,
      headers: { 'user-agent': 'Rangoli', ...headers },
      redirect: 'manual',
      signal,
    })
    const chunks: Uint8Array[] = []
    for await (const chunk of response.body ?? []) {
      onChunk?.()
      chunks.push(chunk)
    }
    return { status: response.status, headers: response.headers, text: Buffer.concat(chunks).toString() }
  } catch (error) {
    return { error: signal.aborted ? 'no answer in time' : networkErrorOf(error) }
  }
}
