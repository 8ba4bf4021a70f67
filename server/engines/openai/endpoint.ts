/** The server that pictures are asked of: OpenAI's own, or one that speaks its Images API. */
export interface Endpoint {
  /** Where the SDK appends '/images/generations', as text. */
  readonly baseUrl: string
  /** What the address has after a `?`, such as Azure's api-version; sent with each request. */
  readonly query: Readonly<Record<string, string>>
  readonly origin: string
  /** Host and port, for the log. */
  readonly host: string
  readonly isOpenAi: boolean
}

const openAiBaseUrl = 'https://api.openai.com/v1'

/** The endpoint for OPENAI_BASE_URL, or OpenAI's own where that is not set. */
export function endpointAt(baseUrl: string | null): Endpoint {
  const url = new URL(baseUrl ?? openAiBaseUrl)
  return {
    baseUrl: url.origin + url.pathname.replace(/\/+$/, ''),
    query: Object.fromEntries(url.searchParams),
    origin: url.origin,
    host: url.host,
    isOpenAi: url.origin === new URL(openAiBaseUrl).origin,
  }
}
