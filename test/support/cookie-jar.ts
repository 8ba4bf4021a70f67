import { freshAddress } from './test-server.ts'

/** A browser without scripts, which keeps the cookies of each origin. */
export class CookieJar {
  readonly #origins = new Map<string, Map<string, string>>()

  /** @param cookies `Cookie` headers by origin */
  constructor(cookies: Readonly<Record<string, string>> = {}) {
    for (const [origin, header] of Object.entries(cookies)) {
      const pairs = [...header.matchAll(/([^=; ]+)=([^;]*)/g)]
      this.#origins.set(origin, new Map(pairs.map(([, name = '', value = '']) => [name, value])))
    }
  }

  /** Requests a page without following its redirect. */
  async request(
    url: string | URL,
    {
      headers = {},
      ...init
    }: Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const { origin } = new URL(url)
    const cookies = this.#origins.get(origin) ?? new Map<string, string>()
    this.#origins.set(origin, cookies)
    const response = await fetch(url, {
      redirect: 'manual',
      ...init,
      headers: { cookie: this.cookieFor(origin), 'x-forwarded-for': freshAddress(), ...headers },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /max-age=0\b/i.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }

  /** The `Cookie` header for an origin. */
  cookieFor(origin: string): string {
    return [...(this.#origins.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Posts JSON from a page of the same origin. */
  post(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    const { origin } = new URL(url)
    return this.request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, ...headers },
      body: JSON.stringify(body),
    })
  }
}
