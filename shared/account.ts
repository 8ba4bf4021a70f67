import type { AdminAction } from './admin.ts'
import type { Collection } from './collections.ts'
import type { Image } from './images.ts'
import type { Invitation } from './invitations.ts'
import { emailLocalPartMaxLength, emailMaxLength } from './limits.ts'
import type { ModerationAction, ModerationNotice } from './moderation.ts'
import type { Notification, NotificationSettings } from './notifications.ts'
import type { Post, Visibility } from './posts.ts'
import type { Style } from './styles.ts'
import type { Role } from './viewer.ts'
import type { Webhook } from './webhooks.ts'

export interface SessionFacts {
  /** Sign-in time, and expiry without further use. ISO 8601, UTC. */
  readonly createdAt: string
  readonly expiresAt: string
  /** Network address and browser at sign-in, if known. */
  readonly ipAddress: string | null
  readonly userAgent: string | null
}

export interface ProviderConnection {
  readonly provider: string
  /** Id of the user at the provider. */
  readonly userId: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

/** An image as exported. */
export interface StoredImageRow extends Image {
  /** Time at which the user deleted it while it was hidden; kept until an administrator decides. ISO 8601, UTC. */
  readonly withdrawnAt: string | null
  /** Time at which it was moved to the trash; null outside of it. */
  readonly trashedAt: string | null
}

/** A post as exported. Times are ISO 8601, UTC. */
export interface StoredPost extends Post {
  /** Prompt before it was first edited; null if it never was, like `promptEditedAt`. */
  readonly sharedPrompt: string | null
  readonly promptEditedAt: string | null
  /** Time at which an administrator hid it; null while it is in the gallery. */
  readonly hiddenAt: string | null
  /** Time at which the user deleted it while it was hidden; kept until an administrator decides. */
  readonly withdrawnAt: string | null
  /** Visibility to restore while its image is in the trash; else null. */
  readonly trashedVisibility: Visibility | null
}

export interface StoredLike {
  readonly postId: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

/** An administrator's action on one of a user's posts. */
export type StoredDecision = Omit<ModerationNotice, 'state' | 'post'> & { readonly action: ModerationAction }

/** Role, limit and block of a user. */
export interface UserAccess {
  readonly role: Role
  /** True if the role came from the sign-in provider, which changes it at the next sign-in. */
  readonly isRoleFromProvider: boolean
  /** Images per UTC day; null: the limit of the site. */
  readonly dailyImageLimit: number | null
  /** USD per UTC month; null: the site's budget per user. */
  readonly monthlyBudget: number | null
  readonly isBlocked: boolean
}

/** A notification as exported, without what it is about. */
export type StoredNotification = Pick<Notification, 'kind' | 'postId' | 'collectionId' | 'createdAt'>

export interface StoredPushSubscription {
  /** URL at the push service of the browser. */
  readonly endpoint: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

/** An action of an administrator about a user. */
export interface StoredAdminAction {
  readonly action: AdminAction
  /** Changes. */
  readonly details: Readonly<Record<string, string | number | boolean | null>>
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

/** An invitation that a user created, without the names of others. */
export type StoredInvitation = Pick<
  Invitation,
  'number' | 'note' | 'uses' | 'maxUses' | 'createdAt' | 'expiresAt'
>

/** A collection that a user owns or contributes to. Times are ISO 8601, UTC. */
export interface StoredCollection {
  readonly id: string
  /** Null for a collection of another user. */
  readonly own:
    | (Pick<Collection, 'title' | 'description' | 'visibility' | 'contributors'> & {
        readonly createdAt: string
      })
    | null
  /** Null if the user did not join it by its invitation. */
  readonly joinedAt: string | null
  /** Posts that the user added, latest first. */
  readonly addedPosts: readonly { readonly postId: string; readonly addedAt: string }[]
}

/** A style that a user keeps. */
export type StoredStyle = Omit<Style, 'coverUrl' | 'isOfSite'> & {
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

/** Settings that a user chooses. */
export interface AccountSettings {
  /** Visibility of new posts that do not name one. */
  readonly defaultVisibility: Visibility
  /** True if mails inform the user about decisions of administrators, and moderators about reports. */
  readonly mailNotices: boolean
}

/** Everything that the server stores about a user. */
export interface AccountData {
  readonly user: {
    readonly id: string
    /** First name for an account of a hosted sign-in service. */
    readonly name: string | null
    /** Null, like `createdAt`, for an account of a hosted sign-in service. */
    readonly email: string | null
    readonly createdAt: string | null
    /** Time of the latest visit, accurate to the hour; null before the first. ISO 8601, UTC. */
    readonly lastSeenAt: string | null
  }
  /** Newest first. */
  readonly images: readonly StoredImageRow[]
  readonly posts: readonly StoredPost[]
  /** Newest first. */
  readonly likes: readonly StoredLike[]
  /** Those that the user owns or has joined, or to which the user added posts, newest first. */
  readonly collections: readonly StoredCollection[]
  /** Newest first. */
  readonly styles: readonly StoredStyle[]
  readonly settings: AccountSettings
  /** Decisions of administrators about the user. */
  readonly access: UserAccess
  /** Actions of administrators about the user, newest first. */
  readonly administration: readonly StoredAdminAction[]
  /** Invitations that the user created, newest first. */
  readonly invitations: readonly StoredInvitation[]
  /** Actions of administrators on the user's posts, newest first. */
  readonly moderation: readonly StoredDecision[]
  /** Without the keys themselves, which are not stored. */
  readonly apiKeys: readonly ApiKey[]
  /** Newest first. */
  readonly notifications: readonly StoredNotification[]
  readonly notificationSettings: NotificationSettings
  /** Devices that receive pushes, without their keys. */
  readonly pushSubscriptions: readonly StoredPushSubscription[]
  /** Without their secrets, newest first. */
  readonly webhooks: readonly Webhook[]
  /** Sign-in providers that the account is connected with. Empty for an account of a hosted sign-in service, as are passkeys. */
  readonly connections: readonly ProviderConnection[]
  readonly passkeys: readonly Passkey[]
  /** Empty for an account of a hosted sign-in service. */
  readonly sessions: readonly SessionFacts[]
}

/** Treatment of a user's posts when the account is deleted. Kept posts keep the name they show. */
export type PostsOfDeleted = 'keep' | 'remove'

export const emailTooLongMessage = `An email address has at most ${emailMaxLength} characters, ${emailLocalPartMaxLength} of them before the @.`

/** Checks the length of an email, before any other code processes it. */
export function isEmailTooLong(email: string): boolean {
  return email.length > emailMaxLength || email.lastIndexOf('@') > emailLocalPartMaxLength
}

/** Lifetimes that an API key can have, in days. A key may also have no expiry. */
export const apiKeyLifetimes = [7, 30, 90, 365] as const

export type ApiKeyLifetime = (typeof apiKeyLifetimes)[number]

/**
 * Permissions of an API key: to read the images, private posts and quota of its user; to generate, upload and cancel images;
 * to share images, and change, delete or like posts.
 */
export const apiKeyScopes = ['read', 'generate', 'share'] as const

export type ApiKeyScope = (typeof apiKeyScopes)[number]

/** Maximum number of API keys per user, including expired ones and those of programs. */
export const apiKeysMax = 20

/** An API key without the key itself. Times are ISO 8601, UTC. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly scopes: readonly ApiKeyScope[]
  readonly createdAt: string
  /** Null if the key is valid until it is revoked. */
  readonly expiresAt: string | null
  /** Accurate to the minute; null if the key was never used. */
  readonly lastUsedAt: string | null
  /** Host of a program that the user allowed by OAuth, '' for one on their device; not there for a key that the user created. */
  readonly program?: string
}

/** A new API key. The key itself is not stored and can't be shown again. */
export interface CreatedApiKey extends ApiKey {
  readonly key: string
}

export const passkeysMax = 20

/** A passkey of a user. Times are ISO 8601, UTC. */
export interface Passkey {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  /** Time of the last sign-in with it; null if there was none. */
  readonly lastUsedAt: string | null
}
