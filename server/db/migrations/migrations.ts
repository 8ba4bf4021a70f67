import type { Migration } from 'kysely'
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

/** Every migration under the name it is recorded by; they run in the order of their names and never change. */
export const migrations: Readonly<Record<string, Migration>> = {
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
  '0014-image-states': imageStates,
}
