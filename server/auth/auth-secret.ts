import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { StartError } from '../errors/app-error.ts'

/** A shorter one was cut short by a crash, and better-auth takes a secret that everybody knows in place of none. */
const secretMinLength = 32

/** Where the secret that signs sessions is kept. */
export function authSecretFile(dataDirectory: string): string {
  return path.join(dataDirectory, 'auth-secret')
}

/**
 * The secret that signs sessions, made at the first start and kept in the data directory.
 *
 * @throws StartError where it can't be read or written
 */
export function keepAuthSecret(dataDirectory: string): string {
  const file = authSecretFile(dataDirectory)
  const secret = readOrMake(file)
  if (secret.length < secretMinLength) {
    throw new StartError(
      `AUTH_SECRET: the secret in ${file} is cut short; remove the file, and a new one is made.`,
    )
  }
  return secret
}

function readOrMake(file: string): string {
  try {
    try {
      writeFileSync(file, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600 })
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    throw new StartError(
      `AUTH_SECRET: the secret can't be kept in ${file}; make it readable and writable or set AUTH_SECRET.`,
      { cause },
    )
  }
}
