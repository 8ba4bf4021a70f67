/** Messages whose wording the specification fixes. */
export const messages = {
  promptMissing: 'Please provide a prompt',
  dailyLimit: 'You have reached your daily image limit.',
  shareIncomplete: 'Please enter a prompt and generate an image',
  generateFailed: 'Something went wrong!',
  shareFailed: 'Failed to share post',
} as const

/** tRPC's codes for HTTP statuses. It has none for 507: `data.httpStatus` distinguishes that from 503. */
export const trpcCodes = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  502: 'BAD_GATEWAY',
  503: 'SERVICE_UNAVAILABLE',
  504: 'GATEWAY_TIMEOUT',
  507: 'SERVICE_UNAVAILABLE',
} as const

interface ErrorDefinition {
  /** HTTP status, the same on every transport. */
  readonly status: keyof typeof trpcCodes
  /** Default message for users. Callers with more context pass a more specific one. */
  readonly message: string
}

/** All errors of the API. Programs branch on the code; the message is for users. */
export const errors = {
  bad_input: { status: 400, message: 'The input is not valid.' },
  prompt_blocked: {
    status: 400,
    message: 'The image service does not allow this prompt. Change it and try again.',
  },
  not_signed_in: { status: 401, message: 'Please sign in first.' },
  forbidden: { status: 403, message: 'You are not allowed to do this.' },
  not_found: { status: 404, message: 'Not found.' },
  canceled: { status: 409, message: 'The generation was canceled.' },
  too_large: { status: 413, message: 'The request is too large.' },
  rate_limited: { status: 429, message: 'Too many requests. Try again in a moment.' },
  daily_limit: { status: 429, message: messages.dailyLimit },
  site_limit: {
    status: 429,
    message: 'This site has reached its daily image limit. Try again after midnight UTC.',
  },
  budget_exceeded: {
    status: 429,
    message:
      'The budget of this month does not suffice for this. Try again when images in progress have finished, or next month.',
  },
  upload_limit: { status: 429, message: 'You have reached your daily upload limit.' },
  post_limit: { status: 429, message: 'You have reached your daily post limit.' },
  storage_limit: {
    status: 429,
    message: 'Your images take up all the storage that you have. Delete some, and empty the trash.',
  },
  too_many_unfinished: {
    status: 429,
    message: 'You have too many unfinished images. Wait for one to finish.',
  },
  api_key_limit: { status: 429, message: 'You have too many API keys. Revoke one first.' },
  internal: { status: 500, message: messages.generateFailed },
  engine_failed: { status: 502, message: 'The image could not be generated. Try again.' },
  engine_misconfigured: {
    status: 502,
    message: 'The image service is not set up correctly. Contact the operator of this site.',
  },
  engine_out_of_credit: {
    status: 502,
    message: 'The image service is out of credit. Contact the operator of this site.',
  },
  engine_out_of_memory: {
    status: 502,
    message: 'The image engine has too little memory for this image. Choose a smaller size.',
  },
  engine_unavailable: { status: 503, message: 'The image engine cannot be reached. Try again later.' },
  engine_busy: { status: 503, message: 'The image service is busy. Try again in a moment.' },
  interrupted: { status: 503, message: 'The server stopped while the image was being generated. Try again.' },
  queue_full: { status: 503, message: 'Many images are being generated right now. Try again in a moment.' },
  busy: { status: 503, message: 'The server is busy. Try again in a moment.' },
  storage_unavailable: {
    status: 503,
    message: "This site can't read or save anything right now. Try again in a moment.",
  },
  sign_in_unavailable: { status: 503, message: 'Sign-in is unavailable. Please try again in a moment.' },
  engine_timeout: { status: 504, message: 'The image took too long to generate. Try again.' },
  storage_full: {
    status: 507,
    message: 'This site is out of storage space. Contact the operator of this site.',
  },
} as const satisfies Record<string, ErrorDefinition>

export type ErrorCode = keyof typeof errors

const textSubject =
  '{subject, select, prompt {A prompt} negative_prompt {A negative prompt} name {A name} search {A search term} report {A report} appeal {An appeal} note {A note} title {A title} description {A description} template {A template} other {An announcement}}'

/**
 * Reasons for an error that are more specific than its code, with their messages in ICU syntax. An error has the code and the
 * values of its message, from which clients make one in another language; `duration` is made of the value `seconds`.
 */
export const errorDetails = {
  account_blocked: 'An administrator has blocked this account.',
  account_closed: 'This account has been deleted or closed.',
  accounts_elsewhere: 'The accounts of this site are at a sign-in service, which also invites users.',
  administrators_only: 'Only administrators can do this.',
  announcement_changed: 'This announcement was changed or removed meanwhile.',
  announcement_ended: 'The end must be in the future.',
  announcement_link: 'The link must begin with https:// or with / for a page of this site.',
  announcements_max: 'There are {max} announcements already. Remove one first.',
  api_key_scope: 'This API key does not have the scope {scope}.',
  api_keys_max: 'You already have {max} API keys. Revoke one first.',
  appealed_already: 'You have already appealed against this decision.',
  author_not_found: 'Author not found.',
  change_by_author_only: 'Only its author can change a post.',
  collection_by_owner_only: 'Only its owner can change a collection.',
  collection_full: 'A collection may have at most {max, number} posts.',
  collection_hidden: 'A moderator has hidden this collection. It cannot be changed.',
  collection_not_found: 'Collection not found.',
  collection_not_public: 'Only a public collection can be the theme of the gallery.',
  collections_max: 'You already have {max, number} collections. Delete one first.',
  contributors_max: 'A collection may have at most {max, number} contributors.',
  contributors_only: 'You may not add posts to this collection.',
  delete_by_author_only: 'Only its author can delete a post.',
  engine_paused: 'The engine {label} is paused. Choose another one, or try again later.',
  engine_restricted: 'You may not use the engine {label}.',
  image_deleted_by_administrator: 'An administrator has deleted this image. It cannot be shared again.',
  image_hidden: 'A moderator has hidden this image. It cannot be shared.',
  image_not_found: 'Image not found.',
  image_not_ready: 'This image is not ready to be shared.',
  image_of_other_user: 'This image belongs to another user.',
  image_too_large: 'The image has more than {maxMegabytes} MB.',
  image_unfinished: 'This image is still being generated. Cancel it first.',
  images_left:
    'You can generate {left, plural, one {# more image} other {# more images}} today, not {count}.',
  marked_sensitive: 'A moderator has marked this post as sensitive.',
  moderators_only: 'Only moderators and administrators can do this.',
  own_account: 'You cannot do this to your own account.',
  network_busy: 'Too many requests from your network at once. Try again in a moment.',
  no_engine: 'You may not use any image engine of this site at present.',
  option_fixed: 'This option is set by an environment variable.',
  other_site: 'This request came from another site.',
  passkey_not_found: 'Passkey not found.',
  passkey_not_verified: 'The passkey could not be verified. Try again.',
  passkeys_max: 'You already have {max} passkeys. Delete one first.',
  photo_format: 'The photo is not a JPEG, PNG or WebP image.',
  photo_too_large: 'The photo has more than {maxMegabytes} MB.',
  photo_too_many_pixels: 'The photo has more than {maxMegapixels} megapixels.',
  photo_unreadable: 'The photo could not be read as an image.',
  photos_busy: 'Many photos are being shared right now. Please try again in a moment.',
  not_added_by_you: 'You can only remove posts that you added.',
  post_hidden: 'A moderator has hidden this post. It cannot be changed.',
  post_not_found: 'Post not found.',
  rate_limit:
    '{what, select, requests {Too many requests.} attempts {Too many attempts.} links {Too many requests for a link.} exports {Too many downloads of your data.} other {Too many sign-ups from your network.}} Try again in {duration}.',
  reference_hidden: 'A hidden image can’t be a reference image.',
  reference_unfinished: 'A reference image must be finished.',
  role_fixed: 'This role is set by the environment variable {variable}.',
  search_too_long: 'This search took too long. Try a longer term.',
  searches_busy: 'Too many searches from your network at once. Try again in a moment.',
  storage_limit:
    'Your images may take up {megabytes, number} MB, and no more fit in. Delete some, and empty the trash.',
  shared_with_other_options:
    'You have already shared this image with this prompt, with other options. To change them, edit that post.',
  text_characters: `${textSubject} may have at most {max, number} characters.`,
  text_code_units: `${textSubject} may have at most {max, number} UTF-16 code units. Emoji and combined letters take several each: use fewer of them.`,
  sessions_at_clerk: 'Sessions are managed by Clerk: end them in its dashboard.',
  style_template: 'The template must contain {slot} exactly once.',
  styles_max: 'There are {max, number} styles already. Delete one first.',
  theme_ended: 'The end must be in the future.',
  /** A message in English only, as of an engine. */
  untranslated: '{message}',
  user_not_found: 'User not found.',
  webhook_address_not_allowed:
    'Webhooks may not connect to {host}: its address is private or belongs to this site.',
  webhook_deliveries_max: '{max, number} deliveries of this webhook wait already. Try again later.',
  webhook_delivery_not_found: 'Delivery not found.',
  webhook_disabled: 'This webhook is disabled. Enable it first.',
  webhook_host_unknown: 'The host {host} is unknown.',
  webhook_host_unresolved: 'The host {host} could not be looked up. Try again in a moment.',
  webhook_https_required: 'The URL must begin with https://.',
  webhook_not_found: 'Webhook not found.',
  webhook_url:
    'The URL must begin with https://, have at most {max, number} characters, and no user name or password.',
  webhooks_max: 'There are {max} webhooks already. Delete one first.',
  upload_in_progress:
    'Too many of your images are being processed at once. Try again in {seconds, plural, one {# second} other {# seconds}}.',
} as const

export type DetailCode = keyof typeof errorDetails

/** The names of the values in a message: of all braces, those around a name. */
type ValueNames<Message> = Message extends `${string}{${infer Start}}${infer Rest}`
  ? ValueName<Start extends `${infer Name}, ${string}` ? Name : Start> | ValueNames<Rest>
  : never

type ValueName<Text> = Text extends `${string} ${string}` ? never : Text extends 'duration' ? 'seconds' : Text

export type DetailValues<Code extends DetailCode = DetailCode> = {
  readonly [Name in ValueNames<(typeof errorDetails)[Code]> & string]: string | number
}

/** A reason for an error, and the values of its message, if it has any. */
export interface ErrorDetail {
  readonly code: DetailCode
  readonly values?: Readonly<Record<string, string | number>>
}

/** `data` of a failed tRPC call; the message for users is in `message`. */
export interface FailureData {
  /** tRPC's name for the status. */
  readonly code: string
  readonly httpStatus: number
  /** Error code, more specific than the status. */
  readonly reason: ErrorCode
  /** Reason that is more specific than the error code, if the message is not the default one of the code. */
  readonly detail?: ErrorDetail
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number
}
