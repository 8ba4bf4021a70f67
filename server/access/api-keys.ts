import { randomUUID, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Logger } from 'pino'
import { apiKeyScopes, apiKeysMax, type ApiKeyLifetime, type ApiKeyScope } from '../../shared/account.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { msPerDay } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { countRows } from '../db/rows.ts'
import type { RowOf } from '../db/schema.ts'
import { AppError, describedDetail } from '../errors/app-error.ts'
import { hashToken } from '../text/hash-token.ts'
import { isoTime } from '../text/iso-time.ts'
import { hasSession, inTransactionOf, type UserServices } from './user-access.ts'
import { createUseRecorder } from './use-recorder.ts'

/** Minimum time between two writes of a key's `last_used_at`. */
const lastUseIntervalMs = 60_000

/** User who creates an API key, and the session in which they do. */
export interface KeyOwner extends Pick<Viewer, 'id' | 'firstName' | 'imageUrl'> {
  /** Undefined for commands of the operator, and with a hosted sign-in service. */
  readonly sessionId?: string | undefined
}

/**
 * Creates an API key. The answer is the only place that ever holds the key itself.
 *
 * @throws AppError `api_key_limit`, or `not_signed_in` if the account has been deleted or closed
 */
export async function createApiKey(
  services: UserServices,
  user: KeyOwner,
  input: {
    readonly name: string
    readonly expiresInDays: ApiKeyLifetime | null
    /** All by default. */
    readonly scopes?: readonly ApiKeyScope[] | undefined
  },
) {
  const { name, expiresInDays, scopes } = input
  const now = services.now()
  const { row, key } = await insertApiKey(services, user, {
    name,
    scopes: scopes ? JSON.stringify(scopes) : null,
    created_at: now,
    expires_at: expiresInDays === null ? null : now + expiresInDays * msPerDay,
    program_host: null,
  })
  return { ...toApiKey(row), key }
}

/**
 * Stores an API key that a user created or, with the columns of one, that a program gets by OAuth.
 *
 * @throws AppError `api_key_limit`, or `not_signed_in` if the account has been deleted or closed, or the session has ended
 */
export async function insertApiKey(
  services: UserServices,
  user: KeyOwner,
  columns: Pick<RowOf<'api_keys'>, 'name' | 'scopes' | 'expires_at' | 'program_host'> &
    Partial<RowOf<'api_keys'>>,
) {
  const key = generateApiKey()
  const row = {
    id: randomUUID(),
    user_id: user.id,
    hash: hashToken(key),
    user_name: user.firstName,
    user_image: user.imageUrl,
    created_at: services.now(),
    last_used_at: null,
    ...columns,
  }
  await inTransactionOf(services, user, async (transaction) => {
    // A new password ends the session, and revokes the keys that exist by then.
    if (user.sessionId !== undefined && !(await hasSession(transaction, user.id, user.sessionId)))
      throw new AppError('not_signed_in')
    const all = transaction.selectFrom('api_keys').where('user_id', '=', user.id)
    // Programs that did not come back for their tokens may be many.
    const own = all.where((eb) =>
      eb.or([eb('program_host', 'is', null), eb('expires_at', '>', services.now())]),
    )
    if ((await countRows(own)) >= apiKeysMax) {
      throw new AppError('api_key_limit', describedDetail('api_keys_max', { max: apiKeysMax }))
    }
    await transaction.insertInto('api_keys').values(row).execute()
  })
  return { row, key }
}

/**
 * Lists a user's API keys and programs, newest first. Expired keys are included until they are revoked. A program has a connection
 * per device, and another one whenever it was allowed more: those with one client id are listed as one.
 */
export async function listApiKeys(db: Database, userId: string): Promise<readonly ApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select(listedColumns)
    .select('client_hash')
    .where('user_id', '=', userId)
    // A program whose code is not exchanged yet may never be one.
    .where((eb) => eb.or([eb('program_host', 'is', null), eb('token_expires_at', 'is not', null)]))
    .orderBy('seq', 'desc')
    .execute()
  const listed = new Map<string, ApiKey>()
  for (const row of rows) {
    const client = row.client_hash ?? row.id
    const newer = listed.get(client)
    listed.set(client, newer ? joinConnections(newer, toApiKey(row)) : toApiKey(row))
  }
  return [...listed.values()]
}

function joinConnections(newer: ApiKey, older: ApiKey): ApiKey {
  const latest = (at: 'expiresAt' | 'lastUsedAt') =>
    (newer[at] ?? '') > (older[at] ?? '') ? newer[at] : older[at]
  return {
    ...newer,
    scopes: apiKeyScopes.filter((scope) => newer.scopes.includes(scope) || older.scopes.includes(scope)),
    expiresAt: latest('expiresAt'),
    lastUsedAt: latest('lastUsedAt'),
  }
}

/** Revokes an API key, or all connections of a program by the id of one. @throws AppError `not_found` */
export async function revokeApiKey(db: Database, userId: string, id: string) {
  const own = db.selectFrom('api_keys').where('user_id', '=', userId).where('id', '=', id)
  const { numDeletedRows } = await db
    .deleteFrom('api_keys')
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('id', '=', id), eb('client_hash', '=', own.select('client_hash'))]))
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new AppError('not_found', 'API key not found.')
  return { id }
}

/**
 * Creates a function that finds the user of an API key, as they were when they created it, and its scopes. It also records when
 * each key was last used.
 *
 * @throws AppError `not_signed_in` for a key that is unknown, expired or incomplete, or a program's where those are not accepted
 */
export function createFindUserByApiKey({ db, log, now }: UserServices & { readonly log: Logger }) {
  const failed = 'could not record the use of an API key'
  const recordUse = createUseRecorder(log, failed, lastUseIntervalMs, async (id, usedAt) => {
    await db.updateTable('api_keys').set({ last_used_at: usedAt }).where('id', '=', id).execute()
  })

  return async (key: string, acceptsPrograms: boolean) => {
    // The checksum is public, so this distinction reveals nothing about existing keys.
    if (!isCompleteApiKey(key)) {
      throw new AppError('not_signed_in', 'The API key is incomplete or mistyped.')
    }
    const row = await db
      .selectFrom('api_keys')
      .select(['id', 'user_id', 'user_name', 'user_image', 'scopes', 'expires_at', 'last_used_at'])
      .select(['program_host', 'token_expires_at'])
      .where('hash', '=', hashToken(key))
      .executeTakeFirstOrThrow(() => new AppError('not_signed_in', 'The bearer token is not valid.'))
    if (row.program_host !== null && !acceptsPrograms) {
      throw new AppError('not_signed_in', 'This access token is for the MCP server only.')
    }
    const usedAt = now()
    const expiresAt = row.token_expires_at ?? row.expires_at
    if (expiresAt !== null && expiresAt <= usedAt) {
      throw new AppError('not_signed_in', 'The API key has expired.')
    }
    if (usedAt - (row.last_used_at ?? -Infinity) >= lastUseIntervalMs) recordUse(row.id, usedAt)
    return {
      id: row.user_id,
      firstName: row.user_name,
      imageUrl: row.user_image,
      scopes: toScopes(row.scopes),
      isProgram: row.program_host !== null,
    }
  }
}

/** An API key without the key itself. Times are ISO 8601, UTC. */
type ApiKey = ReturnType<typeof toApiKey>

const times = ['created_at', 'expires_at', 'last_used_at'] as const
const listedColumns = ['id', 'name', 'scopes', 'program_host', ...times] as const

function toApiKey(row: Pick<RowOf<'api_keys'>, (typeof listedColumns)[number]>) {
  return {
    id: row.id,
    name: row.name,
    scopes: toScopes(row.scopes),
    createdAt: isoTime(row.created_at),
    /** Null if the key is valid until it is revoked. */
    expiresAt: isoTime(row.expires_at),
    /** Accurate to the minute; null if the key was never used. */
    lastUsedAt: isoTime(row.last_used_at),
    /** Host of a program that the user allowed by OAuth, '' for one on their device. */
    ...(row.program_host !== null && { program: row.program_host }),
  }
}

export function toScopes(json: string | null): readonly ApiKeyScope[] {
  return json === null ? apiKeyScopes : (JSON.parse(json) as ApiKeyScope[])
}

/** Prefix of every API key, by which users and secret scanners recognize one. */
const prefix = 'rgl_'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Number of base-62 digits for 256 bits, and for the 32 bits of the checksum. */
const secretLength = 43
const checksumLength = 6

/** Generates a key: the prefix, 256 random bits and a CRC-32 that detects a truncated or mistyped key. */
export function generateApiKey(): string {
  return apiKeyOf(randomBytes(32))
}

export function apiKeyOf(bytes: Buffer): string {
  const secret = toBase62(BigInt(`0x${bytes.toString('hex')}`), secretLength)
  return prefix + secret + checksum(secret)
}

/** Tells API keys from other bearer tokens by their prefix. */
export function isApiKey(token: string): boolean {
  return token.startsWith(prefix)
}

/** Checks length and checksum, without looking the key up. */
export function isCompleteApiKey(key: string): boolean {
  if (key.length !== prefix.length + secretLength + checksumLength) return false
  const secret = key.slice(prefix.length, -checksumLength)
  return isApiKey(key) && key.endsWith(checksum(secret))
}

function checksum(secret: string): string {
  return toBase62(BigInt(crc32(secret)), checksumLength)
}

function toBase62(value: bigint, length: number): string {
  const base = BigInt(digits.length)
  let text = ''
  for (let rest = value; rest > 0n; rest /= base) text = digits.charAt(Number(rest % base)) + text
  return text.padStart(length, '0')
}
