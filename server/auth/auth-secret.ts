import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { libraryCode, StartError } from '../errors/app-error.ts'

/** A shorter secret was truncated by a crash. Without a secret, better-auth falls back to a public default. */
const secretMinLength = 32

export function authSecretFile(dataDirectory: string): string {
  return path.join(dataDirectory, 'auth-secret')
}

/**
 * Reads the secret that signs sessions from the data directory. Generates it at the first start.
 *
 * @throws StartError if it can't be read or written
 */
export function keepAuthSecret(dataDirectory: string): string {
  const file = authSecretFile(dataDirectory)
  const secret = readOrGenerate(file)
  if (secret.length < secretMinLength) {
    throw new StartError(
      `AUTH_SECRET: the secret in ${file} is truncated; remove the file to generate a new one.`,
    )
  }
  return secret
}

function readOrGenerate(file: string): string {
  try {
    try {
      writeFileSync(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
    } catch (error) {
      if (libraryCode(error) !== 'EEXIST') throw error
    }
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new StartError(
      `AUTH_SECRET: the secret can't be stored in ${file}; make the file readable and writable, or set AUTH_SECRET.`,
      { cause },
    )
  }
}
