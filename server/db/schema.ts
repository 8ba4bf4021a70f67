import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely'
import type { Contributors } from '../../shared/collections.ts'
import type { EngineKind, ImageSize } from '../../shared/engines.ts'
import type { AppearanceField } from '../../shared/appearance.ts'
import type { AdminAction } from '../../shared/admin.ts'
import type { ErrorCode } from '../../shared/errors.ts'
import type { ImageShape } from '../../shared/image-files.ts'
import type { ImageState } from '../../shared/images.ts'
import type { ModerationAction, ReportReason } from '../../shared/moderation.ts'
import type { NotificationKind } from '../../shared/notifications.ts'
import type { ImageSource, Visibility } from '../../shared/posts.ts'
import type { SiteOptions } from '../../shared/site-options.ts'
import type { Role } from '../../shared/viewer.ts'
import type {
  WebhookDeliveryState,
  WebhookDeliveryType,
  WebhookDisabledReason,
  WebhookFailure,
} from '../../shared/webhooks.ts'

export type SiteRowName = keyof SiteOptions | `appearance.${AppearanceField}` | 'addedEngines' | 'setupNonce'

/**
 * Tables of our own queries, as the migrations create them. Times are milliseconds since 1970, days are 'YYYY-MM-DD' in UTC.
 * better-auth queries the tables of accounts.
 */
export interface Schema {
  images: {
    /** Increases with each row and is never reused: the order of creation. */
    seq: Generated<number>
    id: string
    owner_id: string
    source: ImageSource
    prompt: string
    /** Id of the engine in the configuration. Null for uploads, like `model`. */
    engine: string | null
    /** Null for uploads, and for images from before engines had ids: their engine is the kind. */
    engine_kind: EngineKind | null
    /** Requested model, replaced by the one that the engine reports. */
    model: string | null
    /** JSON of a `StoredRecipe`; null for uploads, and for images from before recipes were stored. */
    recipe: string | null
    /** What the provider charged for it, or else its price, in millionths of a USD; null if unknown. */
    cost_micros: Generated<number | null>
    /** Upper bound of its cost when it was accepted, which budgets reserve until it has ended; null if unknown. */
    price_micros: Generated<number | null>
    /** Id of the post that the image is a remix of; the post may not exist any more. */
    remix_of: string | null
    /** Position in the order in which users take turns, lowest first; rows of the same turn are ordered by `seq`. */
    turn: Generated<number>
    state: ImageState
    failure: ErrorCode | null
    /** Message for the owner; null if it is the one of `failure`. */
    failure_detail: string | null
    /** Idempotency key: a client's retry with the same key returns this image instead of generating another. */
    request_key: string | null
    /** Day whose quota was consumed; null once it is refunded. */
    counted_on: string | null
    /** Folder in the blob store; null until the image is ready, like the columns that describe the original. */
    folder: string | null
    sha256: string | null
    /**
     * SHA-256 in hex of the bytes as they were uploaded, without the recipe that a download adds, or as 0.1 stored a generated
     * image; null if neither applies.
     */
    upload_sha256: string | null
    width: number | null
    height: number | null
    placeholder: string | null
    /** Name of the file with Content Credentials beside the original, which has its SHA-256; null for none. */
    credentials: Generated<string | null>
    /** JSON of the `ImageMarks` of an upload; null for a file without, and for a generated image. */
    marks: Generated<string | null>
    /** See `fingerprintOf`; null for an image without contrast, or from before it was stored. */
    fingerprint: Generated<string | null>
    /** Id of the image that an upload was recognized as; it may not exist any more. */
    original_id: Generated<string | null>
    created_at: number
    /** Time at which the engine was called; null for uploads and while the image is queued. */
    started_at: number | null
    finished_at: number | null
    /** Id of its job at the server of the engine, if that chose one, so that another process finds the job. */
    engine_job: Generated<string | null>
    /** Id of the process that generates or generated it; null while no process has claimed it. */
    worker: string | null
    /** End of the lease of `worker`, by the clock of the database: afterwards another process may settle the generation. */
    leased_until: number | null
    /** Time at which its owner asked to cancel it while it was running, by the clock of the database. */
    cancel_requested_at: number | null
    /** Time at which an administrator hid it with every post that shows it; null for visible images. */
    hidden_at: number | null
    /** Time at which its owner deleted it while it was hidden: kept until an administrator decides. */
    withdrawn_at: number | null
    /** Bytes of its files as they were stored; null without files. */
    bytes: number | null
    trashed_at: number | null
    restored_at: number | null
    /** The folded prompt. */
    search_text: string | null
    /** `seq` of the newest post that shows it, unless that is withdrawn; written by triggers only. */
    shared_seq: Generated<number | null>
    /** 1 for an upload that is only for edits, until it is shared: it is not listed. */
    for_edit: Generated<number>
    /** Null without files. */
    shape: GeneratedAlways<ImageShape | null>
    /** Year and month of `created_at` in UTC, such as 202611. */
    month: GeneratedAlways<number>
    /** Null for canceled and withdrawn images, which are not counted. */
    list: GeneratedAlways<'kept' | 'failed' | 'trash' | null>
  }
  /** Latest preview of each running generation, for the other processes; PostgreSQL only. */
  image_previews: {
    image_id: string
    data_url: string
  }
  posts: {
    /** Increases with each row and is never reused: the order of the gallery, and the position in cursors. */
    seq: Generated<number>
    id: string
    author_id: string
    image_id: string
    name: string
    prompt: string
    /** Case-folded name and prompt, from `searchText`; without a hidden prompt. */
    search_text: string
    created_at: number
    /** Time at which an administrator hid it; null while it is in the gallery. Set exactly while its image is hidden. */
    hidden_at: number | null
    /** Time at which its author deleted it while it was hidden: kept until an administrator decides. */
    withdrawn_at: number | null
    /** A post is listed if it is public and not hidden. */
    visibility: Generated<Visibility>
    hide_prompt: Generated<number>
    /** 1 if its image is blurred until a visitor asks for it. */
    sensitive: Generated<number>
    /** Prompt before it was edited; null if it never was. */
    shared_prompt: string | null
    prompt_edited_at: number | null
    /** Id of the post that its image is a remix of; the post may not exist any more. */
    parent_id: string | null
    /** Visibility to restore while its image is in the trash, where `visibility` is `private`; else null. */
    trashed_visibility: Visibility | null
  }
  posts_trigrams: PostIndexTable
  posts_grams: PostIndexTable
  /** One row of counters for the listed posts; written by triggers only. */
  gallery: {
    posts: number
    /** Increases with every change of what visitors see but new posts and likes: of posts, their images, and the site's options. */
    changes: number
    /** `seq` of the newest post, deleted or not; PostgreSQL only. */
    newest: Generated<number>
    /** Increases with every change of likes. */
    likes: Generated<number>
  }
  /** One row for each post; written by triggers only. */
  post_stats: {
    seq: number
    author_id: string
    /** Days from 1970 to its creation, in UTC. */
    day: number
    likes: number
    listed: number
    /** Shape of its image, a space and the id of the image's engine, if any. */
    facet: Generated<string>
  }
  /** Numbers of listed posts by author; written by triggers only. Authors without any have no row. */
  author_totals: {
    author_id: string
    posts: number
  }
  /** Numbers of listed posts by `facet` of `post_stats`; written by triggers only. Facets without any have no row. */
  facet_totals: {
    facet: string
    posts: number
    /** Those with likes. */
    liked: number
  }
  /** Numbers of listed posts by `day` of `post_stats`; written by triggers only. Days without any have no row. */
  day_totals: {
    day: number
    posts: number
  }
  /** Words of the prompts of listed posts with the number of these. Words without any have no row. */
  words: {
    word: string
    posts: number
  }
  /** The newest posts of each word, by their `seq`; of frequent words not all. */
  word_posts: {
    word: string
    post: number
  }
  /** Texts that were added to the listed posts, or removed, until their words are counted; written by triggers only. */
  word_changes: {
    id: Generated<number>
    post: number
    search_text: string
    /** 1 or -1. */
    change: number
  }
  /** Numbers of a user's images by what they are listed by; written by triggers only. Groups without any have no row. */
  image_totals: {
    owner_id: string
    /** As in `images`, like `list`. */
    month: number
    /** Empty for none, like `shape`. */
    engine: string
    shape: string
    list: string
    /** 1 if they are shared. */
    shared: number
    images: number
    /** A random number, new with each change: the sum of a user's differs if anything has changed. */
    version: number
  }
  images_trigrams: PostIndexTable
  images_grams: PostIndexTable
  post_likes: {
    post_id: string
    user_id: string
    created_at: number
  }
  /** Settings of the users who have changed one. */
  user_settings: {
    user_id: string
    default_visibility: Visibility
    /** Language of the user's latest request, a BCP 47 tag. */
    language: string | null
    /** 1 if mails tell the user about decisions and reports. */
    mail_notices: Generated<number>
  }
  /** Sessions that began at the OpenID Connect provider, deleted with them. */
  provider_sessions: {
    session_id: string
    /** Encrypted. */
    id_token: string
    /** Time at which the user proved their identity to the provider. */
    authenticated_at: number
  }
  /** Decisions of administrators about users; users without a row have the defaults. */
  user_access: {
    user_id: string
    role: Generated<Role>
    role_by_provider: Generated<number>
    /** Images per UTC day; null for the limit of the site. */
    daily_image_limit: number | null
    /** Millionths of a USD per UTC month; null for the budget of the site's users. */
    monthly_budget_micros: number | null
    blocked_at: number | null
  }
  /** When users were last seen. The names of users of a hosted sign-in service, whose account is not in the database. */
  known_users: {
    user_id: string
    /** Null for a local account, like `image_url`. */
    name: string | null
    /** Case-folded name; empty for a local account. */
    search_name: string
    image_url: string | null
    first_seen_at: number
    /** Accurate to the hour. */
    last_seen_at: number
  }
  /** Options, appearance and engines of the site that administrators chose. */
  site_options: {
    name: SiteRowName
    /** JSON. */
    value: string
  }
  /** Actions of administrators on users and the site. Append-only, except that deleting an account erases its name. */
  admin_log: {
    seq: Generated<number>
    action: AdminAction
    /** Null once the administrator's account is deleted. */
    administrator_id: string | null
    administrator_name: string
    /** The user that the action was about; null for none, and once the account is deleted. */
    user_id: string | null
    /** JSON of an object. */
    details: string
    created_at: number
  }
  daily_usage: {
    user_id: string
    day: string
    /** Generated images, uploads, posts, and prompts that the engine rejected. */
    kind: 'image' | 'upload' | 'post' | 'blocked'
    used: number
  }
  /** Usage of the whole site on a day; unlike `daily_usage` it is kept when accounts are deleted. */
  site_usage: {
    day: string
    images: number
  }
  /** Money of a UTC month, in millionths of a USD: what images have cost, and what is reserved for unfinished ones. */
  monthly_spending: {
    /** Empty for the total of the site. */
    user_id: string
    /** Year and month, such as 202611. */
    month: number
    micros: number
  }
  /** What images of a UTC day have cost, in millionths of a USD. Kept when images are deleted. */
  daily_spending: {
    /** Day on which they were requested, such as 2026-11-26. */
    day: string
    engine: string
    user_id: string
    micros: number
  }
  /** Local accounts. Tables of better-auth have the columns that queries of the site read. */
  user: {
    readonly id: string
    readonly name: string
    readonly email: string
    /** A number with SQLite. */
    readonly emailVerified: boolean | number
    /** The folded name, by which administrators search. */
    readonly searchName: string
    readonly invitationId: string | null
    /** A time on PostgreSQL; ISO 8601 in SQLite. */
    readonly createdAt: unknown
  }
  session: {
    readonly id: string
    readonly userId: string
  }
  /** Passwords, and connections with a provider. */
  account: {
    readonly userId: string
    readonly providerId: string
  }
  verification: {
    readonly id: string
    readonly value: string
  }
  /** Mails until they are sent. Deleted at once then, as some contain links by which accounts can be taken over. */
  mails: {
    id: string
    /** Key of a mail that stands for everything of its kind; null for a single mail. */
    bundle: string | null
    /** Address; null for that of the user. */
    recipient: string | null
    /** Null for an address without an account. */
    user_id: string | null
    /** BCP 47 tag; null for the language of the user. */
    language: string | null
    message: string
    /** Number of events that a bundled mail stands for; 0 once it is sent. Always 1 for a single mail. */
    pending: Generated<number>
    attempts: Generated<number>
    created_at: number
    /** Time of the next attempt, by the clock of the database; while a process sends it, the end of its lease. */
    due_at: number
    /** Time after which it is not sent any more. */
    expires_at: number
  }
  /** Numbers of finished generations; written by triggers only. Kept when images or accounts are deleted. */
  generation_outcomes: {
    /** Hours from 1970 to the end of the generation. */
    hour: number
    engine: string
    outcome: 'succeeded' | 'canceled' | ErrorCode
    images: number
    latest_at: number
  }
  /** Reports of posts by visitors, until an administrator dismisses them. */
  reports: {
    seq: Generated<number>
    post_id: string
    reason: ReportReason
    comment: string
    created_at: number
  }
  /** Actions of administrators on other users' posts. Append-only, except that deleting an account erases its name. */
  moderation_log: {
    seq: Generated<number>
    action: ModerationAction
    /** Null once the administrator's account is deleted. */
    administrator_id: string | null
    administrator_name: string
    post_id: string
    /** Null once the author's account is deleted. */
    author_id: string | null
    /** Reasons of the post's reports at that time, as a JSON array. */
    reasons: Generated<string>
    /** Hash of the post's image: its author may not share deleted bytes again, or marked ones without the mark. */
    image_sha256: string | null
    created_at: number
    /** The administrator's words to the author; may be empty. */
    note: Generated<string>
  }
  /** Appeals of authors against decisions to hide their posts. */
  appeals: {
    /** `seq` of the decision in `moderation_log`. */
    decision: number
    post_id: string
    author_id: string
    comment: string
    created_at: number
    /** Time at which an administrator dismissed it or unhid the post; null while it is open. */
    closed_at: number | null
  }
  /** Credentials by which programs act as a user. Revoked keys have no row. */
  api_keys: {
    seq: Generated<number>
    id: string
    user_id: string
    /** Chosen by the user. */
    name: string
    /** SHA-256 of the key, in hex. */
    hash: string
    /** JSON list of `ApiKeyScope`; null for all. */
    scopes: string | null
    /** Name and avatar of the user when the key was created, for accounts of a hosted sign-in service. */
    user_name: string
    user_image: string | null
    created_at: number
    /** Of a program: when its code, or its refresh token, expires. */
    expires_at: number | null
    /** Accurate to the minute. */
    last_used_at: number | null
    /** Host of a program that has the key by OAuth, '' for one on the user's device; null, like the following columns, for other keys. */
    program_host: Generated<string | null>
    /** SHA-256 of the program's client id, which all its connections have in common. */
    client_hash: Generated<string | null>
    /** SHA-256 of what the code and all refresh tokens have in common, and of what the next exchange has to prove. */
    family_hash: Generated<string | null>
    proof_hash: Generated<string | null>
    /** When the access token, which `hash` is of, expires; null until the code is exchanged. */
    token_expires_at: Generated<number | null>
  }
  /** The columns of better-auth's passkeys that we query, with its names; `lastUsedAt` is ours. */
  passkey: {
    id: string
    /** Chosen by the user. */
    name: string
    userId: string
    /** Id by which authenticators know it, in base64url. */
    credentialID: string
    createdAt: BetterAuthTime
    /** Null until the first sign-in with it. */
    lastUsedAt: BetterAuthTime | null
  }
  /** Accounts deleted or closed within the last hour, for which nothing is stored any more. */
  closed_accounts: {
    user_id: string
    created_at: number
  }
  /** One row: the identity of the site, which the uploads folder has, too. */
  site: {
    /** Always 1. */
    singleton: Generated<number>
    /** 32 hexadecimal digits. */
    id: string
    /** Time of the creation of the database. Older images in the uploads folder belong to another one. */
    created_at: number
    images_swept_at: Generated<number>
  }
  /** Links by which users create an account. A trigger on better-auth's table of users counts their uses. */
  invitations: {
    seq: Generated<number>
    id: string
    /** SHA-256 of the token, in hex. */
    hash: string
    /** Words by which administrators recognize it; may be empty. */
    note: string
    max_uses: number
    uses: Generated<number>
    /** Null once the administrator's account is deleted. */
    creator_id: string | null
    creator_name: string
    created_at: number
    expires_at: number
    revoked_at: number | null
  }
  notifications: {
    seq: Generated<number>
    id: string
    /** Empty for one to every member. */
    user_id: string
    kind: NotificationKind
    /** Key under which later events of the user join it; null if none do. */
    bundle: string | null
    post_id: string | null
    collection_id: string | null
    /** Time of the latest event. */
    created_at: number
  }
  /** What notifications stand for: those of one bundle share a notification. Decisions and appeals have none. */
  notification_events: {
    /** `seq` of the notification. */
    notification: number
    /** User who caused it; empty for generations. */
    actor_id: string
    /** Post that was added or is a remix, or generated image; empty for likes. */
    subject_id: string
    actor_name: string
    created_at: number
  }
  /** What users chose about notifications, and until when they have read them. */
  notification_settings: {
    user_id: string
    /** JSON of the kinds that differ from the defaults. */
    settings: Generated<string>
    read_until: Generated<number>
    /** Time at which they read the latest. */
    read_at: number | null
    /** Time of the latest digest. */
    mailed_until: Generated<number>
  }
  /** Devices that receive pushes. `due_at` is by the clock of the database, as in `mails`. */
  push_subscriptions: {
    seq: Generated<number>
    user_id: string
    /** URL at the push service of the browser. */
    endpoint: string
    /** Keys of the browser, in base64url. */
    p256dh: string
    auth: string
    created_at: number
    /** Number of notifications since the last push. */
    pending: Generated<number>
    attempts: Generated<number>
    due_at: Generated<number>
    /** `created_at` of the newest notification that was pushed. */
    pushed_until: number
  }
  collections: {
    /** The order of creation, and the position in cursors. */
    seq: Generated<number>
    id: string
    owner_id: string
    title: string
    description: string
    /** Folded title and description. */
    search_text: string
    visibility: Visibility
    contributors: Contributors
    /** Post chosen by the owner; it may be missing, or not be visible. */
    cover_post_id: string | null
    /** SHA-256 of the token by which users join, in hex; null without an invitation. */
    invitation_hash: string | null
    /** Number of its listed posts; written by triggers only. */
    listed_posts: Generated<number>
    created_at: number
    /** Time at which a moderator hid it; null while it is visible. */
    hidden_at: number | null
    /** Time until which it is the theme of the gallery; null if it is not. */
    featured_until: number | null
  }
  styles: {
    /** The order of creation. */
    seq: Generated<number>
    /** That of the file for a style that ships. */
    id: string
    /** Null for a style of the site. */
    owner_id: string | null
    name: string
    template: string
    negative_prompt: string
    /** Id of an engine; `rangoli` is the embedded one under any id. */
    engine: string | null
    size: ImageSize | null
    /** JSON array of `Lora`. */
    loras: string
    for_models: number
    /** 1 for a style that ships and that an administrator has removed. */
    removed: Generated<number>
    created_at: number
  }
  collection_posts: {
    collection_id: string
    post_id: string
    /** Order within the collection, highest first, with gaps. */
    position: number
    author_id: string
    /** 1 if the post is listed; written by triggers when that changes. */
    listed: number
    /** User who added it; null once their account is deleted. */
    added_by: string | null
    added_at: number
  }
  /** Users who have joined a collection by its invitation. */
  collection_contributors: {
    collection_id: string
    user_id: string
    joined_at: number
  }
  /** Reports of collections by visitors, until a moderator dismisses them. */
  collection_reports: {
    seq: Generated<number>
    collection_id: string
    reason: ReportReason
    comment: string
    created_at: number
  }
  /** URLs that receive events. Times of deliveries are by the clock of the database. */
  webhooks: {
    seq: Generated<number>
    id: string
    /** Null for a webhook of the site. */
    user_id: string | null
    url: string
    /** JSON array of `WebhookEvent`. */
    events: string
    enabled: Generated<number>
    /** Null if it is enabled, and if its owner disabled it. */
    disabled_reason: WebhookDisabledReason | null
    /** `whsec_` and a key in base64, in plain text, as it signs each request. */
    secret: string
    /** JSON array of `FormerSecret`: those before the current one, which sign, too. */
    former_secrets: Generated<string>
    created_at: number
    /** Time of the first failed attempt since the last successful one. */
    failing_since: number | null
    /** Time since which events are dropped, as too many deliveries wait; null once half of them are gone. */
    dropped_at: number | null
    /** Time of the latest attempt; 0 before the first. */
    attempted_at: Generated<number>
    /** End of the lease of the process that sends a delivery to it. */
    busy_until: Generated<number>
  }
  /** Deliveries of events to webhooks: the queue, and a log of those that ended. */
  webhook_deliveries: {
    seq: Generated<number>
    id: string
    webhook_id: string
    /** User whom the event is about; null for a test of a webhook of the site. */
    user_id: string | null
    type: WebhookDeliveryType
    /** JSON of a `WebhookData`, with paths in place of links. */
    data: string
    state: Generated<WebhookDeliveryState>
    /** Number of attempts since it was queued, or queued again. */
    attempts: Generated<number>
    created_at: number
    /** Time of the next attempt of a waiting delivery. */
    due_at: number
    attempted_at: number | null
    status: number | null
    failure: WebhookFailure | null
    duration_ms: number | null
  }
  /** Folders of images in a bucket. For images on a disk, only folders that are removed until the next sweep. */
  bucket_folders: {
    folder: string
    /** Bytes of its objects, or more. */
    bytes: number
    /** Time since which no image's row refers to it; null for a stored image. */
    unlinked_at: number | null
    /** Time since which its objects are being deleted; it can't be linked any more. */
    removed_at: number | null
  }
  /** One row about all of `bucket_folders`. */
  bucket_usage: {
    singleton: Generated<number>
    bytes: number
  }
}

/** A row as queries of a table return it. */
export type RowOf<Table extends keyof Schema> = Selectable<Schema[Table]>

/** Full-text index of the listed posts; SQLite only. Written by triggers only, read with MATCH. */
export interface PostIndexTable {
  /** `seq` of the post or image. */
  rowid: number
}

/** A time of better-auth, written in ISO 8601: a text in SQLite, `timestamptz` in PostgreSQL. */
type BetterAuthTime = ColumnType<string | Date, string, string>
