import { durationInWords } from './duration.ts'

const number = new Intl.NumberFormat('en')

/** Uses that a rate limit counts. */
export type LimitedThing = 'requests' | 'attempts' | 'sign-ups' | 'links' | 'exports'

const limitedThings: Readonly<Record<LimitedThing, string>> = {
  requests: 'requests',
  attempts: 'attempts',
  'sign-ups': 'sign-ups from your network',
  links: 'requests for a link',
  exports: 'downloads of your data',
}

/** A text that users write. */
export type TextSubject =
  | 'prompt'
  | 'negative_prompt'
  | 'name'
  | 'search'
  | 'report'
  | 'appeal'
  | 'note'
  | 'announcement'

const textSubjects: Readonly<Record<TextSubject, string>> = {
  prompt: 'A prompt',
  negative_prompt: 'A negative prompt',
  name: 'A name',
  search: 'A search term',
  report: 'A report',
  appeal: 'An appeal',
  note: 'A note',
  announcement: 'An announcement',
}

interface TooLong {
  readonly subject: TextSubject
  /** Maximum, in the unit of the detail. */
  readonly max: number
}

/**
 * Reasons for an error that are more specific than its code, with their messages in English. Each has the values of its
 * message, from which clients make one in another language.
 */
export const errorDetails = {
  account_blocked: () => 'An administrator has blocked this account.',
  account_closed: () => 'This account has been deleted or closed.',
  accounts_elsewhere: () => 'The accounts of this site are at a sign-in service, which also invites users.',
  administrators_only: () => 'Only administrators can do this.',
  announcement_changed: () => 'This announcement was changed or removed meanwhile.',
  announcement_ended: () => 'The end must be in the future.',
  announcement_link: () => 'The link must begin with https:// or with / for a page of this site.',
  announcements_max: ({ max }: { readonly max: number }) =>
    `There are ${max} announcements already. Remove one first.`,
  api_key_scope: ({ scope }: { readonly scope: string }) => `This API key does not have the scope ${scope}.`,
  api_keys_max: ({ max }: { readonly max: number }) => `You already have ${max} API keys. Revoke one first.`,
  appealed_already: () => 'You have already appealed against this decision.',
  author_not_found: () => 'Author not found.',
  change_by_author_only: () => 'Only its author can change a post.',
  delete_by_author_only: () => 'Only its author can delete a post.',
  engine_paused: ({ label }: { readonly label: string }) =>
    `The engine ${label} is paused. Choose another one, or try again later.`,
  engine_restricted: ({ label }: { readonly label: string }) => `You may not use the engine ${label}.`,
  image_deleted_by_administrator: () => 'An administrator has deleted this image. It cannot be shared again.',
  image_hidden: () => 'A moderator has hidden this image. It cannot be shared.',
  image_not_found: () => 'Image not found.',
  image_not_ready: () => 'This image is not ready to be shared.',
  image_of_other_user: () => 'This image belongs to another user.',
  image_too_large: ({ maxMegabytes }: { readonly maxMegabytes: number }) =>
    `The image has more than ${maxMegabytes} MB.`,
  image_unfinished: () => 'This image is still being generated. Cancel it first.',
  images_left: ({ left, count }: { readonly left: number; readonly count: number }) =>
    `You can generate ${left} more ${left === 1 ? 'image' : 'images'} today, not ${count}.`,
  marked_sensitive: () => 'A moderator has marked this post as sensitive.',
  moderators_only: () => 'Only moderators and administrators can do this.',
  own_account: () => 'You cannot do this to your own account.',
  network_busy: () => 'Too many requests from your network at once. Try again in a moment.',
  no_engine: () => 'You may not use any image engine of this site at present.',
  option_fixed: () => 'This option is set by an environment variable.',
  other_site: () => 'This request came from another site.',
  passkey_not_found: () => 'Passkey not found.',
  passkey_not_verified: () => 'The passkey could not be verified. Try again.',
  passkeys_max: ({ max }: { readonly max: number }) => `You already have ${max} passkeys. Delete one first.`,
  photo_format: () => 'The photo is not a JPEG, PNG or WebP image.',
  photo_too_large: ({ maxMegabytes }: { readonly maxMegabytes: number }) =>
    `The photo has more than ${maxMegabytes} MB.`,
  photo_too_many_pixels: ({ maxMegapixels }: { readonly maxMegapixels: number }) =>
    `The photo has more than ${maxMegapixels} megapixels.`,
  photo_unreadable: () => 'The photo could not be read as an image.',
  photos_busy: () => 'Many photos are being shared right now. Please try again in a moment.',
  post_hidden: () => 'A moderator has hidden this post. It cannot be changed.',
  post_not_found: () => 'Post not found.',
  rate_limit: ({ what, seconds }: { readonly what: LimitedThing; readonly seconds: number }) =>
    `Too many ${limitedThings[what]}. Try again in ${durationInWords(seconds, 'en')}.`,
  reference_hidden: () => 'A hidden image can’t be a reference image.',
  reference_unfinished: () => 'A reference image must be finished.',
  role_fixed: ({ variable }: { readonly variable: string }) =>
    `This role is set by the environment variable ${variable}.`,
  search_too_long: () => 'This search took too long. Try a longer term.',
  searches_busy: () => 'Too many searches from your network at once. Try again in a moment.',
  storage_limit: ({ megabytes }: { readonly megabytes: number }) =>
    `Your images may take up ${number.format(megabytes)} MB, and no more fit in. Delete some, and empty the trash.`,
  shared_with_other_options: () =>
    'You have already shared this image with this prompt, with other options. To change them, edit that post.',
  text_characters: ({ subject, max }: TooLong) =>
    `${textSubjects[subject]} may have at most ${number.format(max)} characters.`,
  text_code_units: ({ subject, max }: TooLong) =>
    `${textSubjects[subject]} may have at most ${number.format(max)} UTF-16 code units. Emoji and combined letters take several each: use fewer of them.`,
  sessions_at_clerk: () => 'Sessions are managed by Clerk: end them in its dashboard.',
  user_not_found: () => 'User not found.',
  webhook_address_not_allowed: ({ host }: { readonly host: string }) =>
    `Webhooks may not connect to ${host}: its address is private or belongs to this site.`,
  webhook_deliveries_max: ({ max }: { readonly max: number }) =>
    `${number.format(max)} deliveries of this webhook wait already. Try again later.`,
  webhook_delivery_not_found: () => 'Delivery not found.',
  webhook_disabled: () => 'This webhook is disabled. Enable it first.',
  webhook_host_unknown: ({ host }: { readonly host: string }) => `The host ${host} is unknown.`,
  webhook_host_unresolved: ({ host }: { readonly host: string }) =>
    `The host ${host} could not be looked up. Try again in a moment.`,
  webhook_https_required: () => 'The URL must begin with https://.',
  webhook_not_found: () => 'Webhook not found.',
  webhook_url: ({ max }: { readonly max: number }) =>
    `The URL must begin with https://, have at most ${number.format(max)} characters, and no user name or password.`,
  webhooks_max: ({ max }: { readonly max: number }) => `There are ${max} webhooks already. Delete one first.`,
  upload_in_progress: ({ seconds }: { readonly seconds: number }) =>
    `Another upload of yours is still being processed. Try again in ${seconds} seconds.`,
} as const

export type DetailCode = keyof typeof errorDetails

/** Values of the message of a detail; none if it is always the same. */
export type DetailValues<Code extends DetailCode> = Parameters<(typeof errorDetails)[Code]>

/** A reason for an error, and the values of its message. */
export interface ErrorDetail<Code extends DetailCode = DetailCode> {
  readonly code: Code
  readonly values?: DetailValues<Code>[0]
}
