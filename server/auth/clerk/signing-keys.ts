import { createPublicKey } from 'node:crypto'
import type { Logger } from 'pino'
import { z } from 'zod'
import { AppError } from '../../errors/app-error.ts'

/**
 * Finds the public key, in PEM, that a token names as the one it is signed with; null where there is no such key.
 *
 * @throws AppError `sign_in_unavailable` where it can't be found out
 */
export type FindKey = (keyId: string | undefined) => Promise<string | null>

interface SigningKeyServices {
  readonly frontendApi: string
  readonly log: Logger
}

/** How long Clerk may take to answer, in milliseconds. */
export const patience = 5_000
/** How long nothing is asked again, however many tokens name keys that are not known. */
const pause = 10_000
/** After this the keys are asked for again, as one of them may have been withdrawn. */
const keptFor = 60 * 60 * 1000

const keySet = z.object({
  keys: z.array(z.looseObject({ kid: z.string(), kty: z.string() })),
})

/**
 * The keys of a Clerk instance, fetched from it when they are needed. Its SDK can fetch them as well, but does so
 * anew for each token with a key that it does not know, which anyone can make up, and waits as long as it takes.
 */
export function createSigningKeys({ frontendApi, log }: SigningKeyServices): FindKey {
  const address = `https://${frontendApi}/.well-known/jwks.json`
  let known = new Map<string, string>()
  let fetchedAt = -Infinity
  let askedAt = -Infinity
  let failed = false
  let asking: Promise<void> | undefined

  async function ask(): Promise<void> {
    askedAt = Date.now()
    try {
      known = await fetchKeys(address)
      fetchedAt = Date.now()
      failed = false
    } catch (err) {
      failed = true
      log.error({ err }, 'the keys that sign session tokens could not be fetched from Clerk')
    } finally {
      asking = undefined
    }
  }

  return async (keyId = '') => {
    const isMissing = !known.has(keyId) || Date.now() - fetchedAt > keptFor
    if (isMissing) {
      if (!asking && Date.now() - askedAt > pause) asking = ask()
      await asking
    }
    const key = known.get(keyId)
    if (!key && failed) {
      throw new AppError('sign_in_unavailable', undefined, {
        retryAfter: pause / 1000,
      })
    }
    return key ?? null
  }
}

async function fetchKeys(address: string): Promise<Map<string, string>> {
  const response = await fetch(address, { signal: AbortSignal.timeout(patience), redirect: 'error' })
  if (!response.ok) throw new Error(`${address} answered ${response.status}.`)
  return readKeySet(await response.json())
}

/**
 * The keys in PEM, by their ids, of a key set in JSON.
 *
 * @throws ZodError where it is none
 */
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
