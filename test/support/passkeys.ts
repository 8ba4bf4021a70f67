import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { CookieJar } from './cookie-jar.ts'
import type { TestServer } from './test-server.ts'

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
    // CBOR of { fmt: 'none', attStmt: {}, authData }, whose length is one byte.
    const head = Buffer.from('\xa3cfmtdnonegattStmt\xa0hauthDataX', 'latin1')
    const attestation = Buffer.concat([head, Buffer.from([data.length]), data])
    return this.#answer({
      clientDataJSON: client.toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal', 'hybrid'],
    })
  }

  /** The answer of a browser in which the user signs in with this passkey. */
  authenticate(options: CeremonyOptions, origin: string, deviations: Deviations = {}) {
    const client = clientData('webauthn.get', options, origin, deviations)
    this.#counter += 1
    const data = this.#authenticatorData(deviations, 0)
    const signed = Buffer.concat([data, sha256(client)])
    return this.#answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
    })
  }

  #answer<Response>(response: Response) {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', response }
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
    // CBOR of a public key for ES256 on the curve P-256. @see https://www.rfc-editor.org/rfc/rfc9053#section-7.1
    const key = [
      Buffer.from('a5010203262001215820', 'hex'),
      Buffer.from(x, 'base64url'),
      Buffer.from('225820', 'hex'),
      Buffer.from(y, 'base64url'),
    ]
    return Buffer.concat([Buffer.alloc(16), length, this.id, ...key])
  }
}

/** A browser with its cookies, at `localhost`. */
export class PasskeyBrowser {
  readonly #jar: CookieJar
  readonly origin: string

  constructor(server: TestServer, cookie = '') {
    // Passkeys belong to names, not to IP addresses.
    this.origin = server.url.replace('127.0.0.1', 'localhost')
    this.#jar = new CookieJar({ [this.origin]: cookie })
  }

  get cookie(): string {
    return this.#jar.cookieFor(this.origin)
  }

  /** Calls an account route from a new address, and keeps the cookies of the response. */
  call(path: string, body?: object, headers: Record<string, string> = {}): Promise<Response> {
    const url = `${this.origin}/api/auth${path}`
    if (body) return this.#jar.post(url, body, headers)
    return this.#jar.request(url, { headers: { origin: this.origin, ...headers } })
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
}

function clientData(type: string, { challenge }: CeremonyOptions, origin: string, deviations: Deviations) {
  const data = { type, challenge, origin, crossOrigin: false, ...deviations }
  return Buffer.from(JSON.stringify(data))
}

function sha256(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}
