import type { Selectable } from 'kysely'
import type { ApiKey } from '../../../shared/api-keys.ts'
import type { PersonalTokensTable } from '../../db/schema.ts'

type Facts = Pick<
  Selectable<PersonalTokensTable>,
  'id' | 'name' | 'created_at' | 'expires_at' | 'last_used_at'
>

/** What a user is shown of a token of theirs. */
export function toToken({ id, name, created_at, expires_at, last_used_at }: Facts): ApiKey {
  return {
    id,
    name,
    createdAt: isoTime(created_at),
    expiresAt: expires_at === null ? null : isoTime(expires_at),
    lastUsedAt: last_used_at === null ? null : isoTime(last_used_at),
  }
}

function isoTime(moment: number): string {
  return new Date(moment).toISOString()
}
