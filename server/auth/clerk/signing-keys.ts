import { createPublicKey } from 'node:crypto'
import type { Logger } from 'pino'
import { z } from 'zod'
import { AppError } from '../../errors/app-error.ts'

/**
 * Finds a public key in PEM format by its id (`kid`); null if there is no such key.
 *
 * @throws AppError `sign_in_unavailable` if the keys could not be fetched
 */
export type FindKey = (keyId: string | undefined) => Promise<string | null>

interface SigningKeyServices {
  readonly frontendApi: string
  readonly log: Logger
}

export const jwksTimeoutMs = 5_000
/** Minimum time between fetches for tokens with unknown keys. */
const cooldownMs = 10_000
/** Maximum age of the cached keys, as Clerk may withdraw a key. */
const maxAgeMs = 60 * 60 * 1000

const keySet = z.object({
  keys: z.array(z.looseObject({ kid: z.string(), kty: z.string() })),
})

/**
 * Creates a cache of the signing keys of a Clerk instance. If Clerk can't be reached, the last keys stay in use. Replaces
 * the cache of Clerk's SDK, which has no timeout and fetches the keys for every token with an unknown key id.
 */
export function createSigningKeys({ frontendApi, log }: SigningKeyServices): FindKey {
  const url = `https://${frontendApi}/.well-known/jwks.json`
  let keysById = new Map<string, string>()
  let fetchedAt = -Infinity
  let triedAt = -Infinity
  /** Whether the latest fetch succeeded. One ends before the next may begin. */
  let latest = Promise.resolve(true)

  async function refresh(): Promise<boolean> {
    triedAt = performance.now()
    try {
      keysById = await fetchKeys(url)
      fetchedAt = performance.now()
      return true
    } catch (err) {
      log.error({ err }, 'could not fetch the signing keys from Clerk')
      return false
    }
  }

  return async (keyId = '') => {
    if (!keysById.has(keyId) || performance.now() - fetchedAt > maxAgeMs) {
      if (performance.now() - triedAt > cooldownMs) latest = refresh()
      await latest
    }
    const key = keysById.get(keyId)
    if (!key && !(await latest)) {
      throw new AppError('sign_in_unavailable', undefined, { retryAfter: cooldownMs / 1000 })
    }
    return key ?? null
  }
}

async function fetchKeys(url: string): Promise<Map<string, string>> {
  const response = await fetch(url, { signal: AbortSignal.timeout(jwksTimeoutMs), redirect: 'error' })
  if (!response.ok) throw new Error(`${url} responded with status ${response.status}.`)
  return readKeySet(await response.json())
}

/** Converts the RSA keys of a JSON Web Key Set to PEM, by id. @throws ZodError if the JSON is no key set */
export function readKeySet(json: unknown): Map<string, string> {
  const { keys } = keySet.parse(json)
  return new Map(
    keys
      .filter(({ kty }) => kty === 'RSA')
      .map((key) => [
        key.kid,
        createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString(),
      ]),
  )
}
