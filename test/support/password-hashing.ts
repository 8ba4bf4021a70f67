import { hashPassword, verifyPassword } from 'better-auth/crypto'
import type { PasswordHashing } from '../../server/auth/call-context.ts'

const hashes = new Map<string, Promise<string>>()
const matches = new Map<string, Promise<boolean>>()

/**
 * better-auth's scrypt, computed once per password and once per comparison: scrypt is slow by design, and most tests use
 * the same few passwords. Accounts with the same password have the same hash.
 */
export const rememberedHashing = {
  hash: (password) => remember(hashes, password, () => hashPassword(password)),
  verify: ({ hash, password }) =>
    remember(matches, JSON.stringify([hash, password]), () => verifyPassword({ hash, password })),
} satisfies PasswordHashing

function remember<Result>(
  results: Map<string, Promise<Result>>,
  key: string,
  compute: () => Promise<Result>,
): Promise<Result> {
  const result = results.get(key) ?? compute()
  results.set(key, result)
  return result
}
