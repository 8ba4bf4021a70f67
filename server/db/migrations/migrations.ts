import type { Migration } from 'kysely'
import type { DatabaseDialect } from '../dialect-of.ts'
import { postgresBaseline } from '../postgres/baseline.ts'
import { postsAndImages } from './0001-posts-and-images.ts'
import { localAccounts } from './0002-local-accounts.ts'
import { accountRoles } from './0003-account-roles.ts'
import { moderation } from './0005-moderation.ts'
import { postSearch } from './0006-post-search.ts'
import { personalTokens } from './0007-personal-tokens.ts'
import { site } from './0008-site.ts'
import { postQuota } from './0009-post-quota.ts'
import { boundedPosts } from './0010-bounded-posts.ts'
import { siteUsage } from './0011-site-usage.ts'
import { hiddenImages } from './0012-hidden-images.ts'
import { apiKeys } from './0013-api-keys.ts'
import { imageStates } from './0014-image-states.ts'
import { generationLeases } from './0015-generation-leases.ts'
import { storedBytes } from './0016-stored-bytes.ts'
import { rateLimits } from './0017-rate-limits.ts'
import { recipes } from './0018-recipes.ts'
import { community } from './0019-community.ts'
import { failedImages } from './0021-failed-images.ts'
import { appeals } from './0022-appeals.ts'
import { userAccess } from './0023-user-access.ts'
import { passkeys } from './0024-passkeys.ts'
import { mails } from './0025-mails.ts'
import { invitations } from './0026-invitations.ts'
import { trash } from './0027-trash.ts'
import { knownUsers } from './0028-known-users.ts'
import { siteUsageByHour } from './0029-site-usage.ts'
import { providerSessions } from './0031-provider-sessions.ts'
import { apiKeyScopes } from './0032-api-key-scopes.ts'
import { webhooks } from './0033-webhooks.ts'
import { webhookSecrets } from './0034-webhook-secrets.ts'

/** A step of both databases. */
export type SharedMigration = Readonly<Record<DatabaseDialect, Migration>>

/** Steps of SQLite before PostgreSQL was supported. */
const sqliteMigrations: Readonly<Record<string, Migration>> = {
  '0001-posts-and-images': postsAndImages,
  '0002-local-accounts': localAccounts,
  '0003-account-roles': accountRoles,
  '0005-moderation': moderation,
  '0006-post-search': postSearch,
  '0007-personal-tokens': personalTokens,
  '0008-site': site,
  '0009-post-quota': postQuota,
  '0010-bounded-posts': boundedPosts,
  '0011-site-usage': siteUsage,
  '0012-hidden-images': hiddenImages,
  '0013-api-keys': apiKeys,
}

/** Steps of both databases; PostgreSQL begins with the schema that SQLite has at its first. */
const sharedMigrations: Readonly<Record<string, SharedMigration>> = {
  '0014-image-states': { sqlite: imageStates, postgres: postgresBaseline },
  '0015-generation-leases': generationLeases,
  '0016-stored-bytes': storedBytes,
  '0017-rate-limits': rateLimits,
  '0018-recipes': recipes,
  '0019-community': community,
  '0021-failed-images': failedImages,
  '0022-appeals': appeals,
  '0023-user-access': userAccess,
  '0024-passkeys': passkeys,
  '0025-mails': mails,
  '0026-invitations': invitations,
  '0027-trash': trash,
  '0028-known-users': knownUsers,
  '0029-site-usage': siteUsageByHour,
  '0031-provider-sessions': providerSessions,
  '0032-api-key-scopes': apiKeyScopes,
  '0033-webhooks': webhooks,
  '0034-webhook-secrets': webhookSecrets,
}

/** Returns every migration under the name it is recorded by; they run in the order of their names and never change. */
export function migrationsFor(dialect: DatabaseDialect): Readonly<Record<string, Migration>> {
  return {
    ...(dialect === 'sqlite' && sqliteMigrations),
    ...Object.fromEntries(Object.entries(sharedMigrations).map(([name, steps]) => [name, steps[dialect]])),
  }
}
