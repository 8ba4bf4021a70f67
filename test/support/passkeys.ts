import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { cookieOf, freshAddress, type TestServer } from './test-server.ts'

/** Options of a ceremony, as far as an authenticator reads them. */
interface CeremonyOptions {
  readonly challenge: string
}

/** Deviations from what an authenticator and a browser do. */
export interface Deviations {
  readonly origin?: string
  readonly rpId?: string
  readonly isVerified?: boolean
}

/** A passkey of an authenticator in memory, with a key on the curve P-256. */
export class TestPasskey {
  readonly id: Buffer
  readonly #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  #counter = 0

  constructor(id: Buffer = randomBytes(32)) {
    this.id = id
    this.#keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  }

  /** The answer of a browser in which the user adds this passkey. */
  register(options: CeremonyOptions, origin: string, deviations: Deviations = {}) {
    const client = clientData('webauthn.create', options, origin, deviations)
    const data = Buffer.concat([this.#authenticatorData(deviations, 0x40), this.#attestedCredential()])
    const attestation = cborMap([
      ['fmt', cborText('none')],
      ['attStmt', cborMap([])],
      ['authData', cborBytes(data)],
    ])
    const id = this.id.toString('base64url')
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: client.toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal', 'hybrid'],
      },
    }
  }

  /** The answer of a browser in which the user signs in with this passkey. */
  authenticate(options: CeremonyOptions, origin: string, deviations: Deviations = {}) {
    const client = clientData('webauthn.get', options, origin, deviations)
    this.#counter += 1
    const data = this.#authenticatorData(deviations, 0)
    const signed = Buffer.concat([data, sha256(client)])
    const id = this.id.toString('base64url')
    return {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
      },
    }
  }

  #authenticatorData({ rpId = 'localhost', isVerified = true }: Deviations, flags: number): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(this.#counter)
    const userFlags = isVerified ? 0x05 : 0x01
    return Buffer.concat([sha256(Buffer.from(rpId)), Buffer.from([flags | userFlags]), count])
  }

  #attestedCredential(): Buffer {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const key = cborMap([
      [1, cborInteger(2)],
      [3, cborInteger(-7)],
      [-1, cborInteger(1)],
      [-2, cborBytes(Buffer.from(x, 'base64url'))],
      [-3, cborBytes(Buffer.from(y, 'base64url'))],
    ])
    return Buffer.concat([Buffer.alloc(16), length, this.id, key])
  }
}

/** Origin at which the pages of a test server are used: passkeys belong to names, not to IP addresses. */
export function localhostOf(server: TestServer): string {
  return server.url.replace('127.0.0.1', 'localhost')
}

/** A browser with its cookies, at `localhost`. */
export class PasskeyBrowser {
  readonly #cookies = new Map<string, string>()
  readonly origin: string

  constructor(server: TestServer, cookie = '') {
    this.origin = localhostOf(server)
    this.#keep(cookie)
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /** Calls an account route from a new address, and keeps the cookies of the response. */
  async call(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Response> {
    const response = await fetch(`${this.origin}/api/auth${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        origin: this.origin,
        'x-forwarded-for': freshAddress(),
        ...(this.#cookies.size > 0 && { cookie: this.cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    this.#keep(cookieOf(response))
    return response
  }

  /** Starts a ceremony. */
  async options(ceremony: 'register' | 'authenticate'): Promise<CeremonyOptions> {
    const response = await this.call(`/passkey/generate-${ceremony}-options`)
    if (!response.ok) throw new Error(`No options: ${response.status} ${await response.text()}`)
    return (await response.json()) as CeremonyOptions
  }

  /** Adds a passkey to the account of the session. */
  async add(passkey: TestPasskey, name = 'Laptop', deviations?: Deviations): Promise<Response> {
    const response = passkey.register(await this.options('register'), this.origin, deviations)
    return this.call('/passkey/verify-registration', { name, response })
  }

  async signIn(passkey: TestPasskey, deviations?: Deviations): Promise<Response> {
    const response = passkey.authenticate(await this.options('authenticate'), this.origin, deviations)
    return this.call('/passkey/verify-authentication', { response })
  }

  #keep(cookies: string): void {
    for (const pair of cookies.split('; ').filter(Boolean)) {
      const [name = '', ...value] = pair.split('=')
      this.#cookies.set(name, value.join('='))
    }
  }
}

function clientData(type: string, { challenge }: CeremonyOptions, origin: string, deviations: Deviations) {
  const data = { type, challenge, origin, crossOrigin: false, ...deviations }
  return Buffer.from(JSON.stringify(data))
}

function sha256(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}

/** @see https://www.rfc-editor.org/rfc/rfc8949#section-3 */
function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 0x1_00) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 0xff])
}

function cborInteger(value: number): Buffer {
  return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value)
}

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([cborHead(2, bytes.length), bytes])
}

function cborText(text: string): Buffer {
  return Buffer.concat([cborHead(3, Buffer.byteLength(text)), Buffer.from(text)])
}

function cborMap(entries: readonly (readonly [string | number, Buffer])[]): Buffer {
  const parts = entries.flatMap(([key, value]) => [
    typeof key === 'string' ? cborText(key) : cborInteger(key),
    value,
  ])
  return Buffer.concat([cborHead(5, entries.length), ...parts])
}
