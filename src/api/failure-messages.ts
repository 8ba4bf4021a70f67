import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { durationInWords } from '../../shared/duration.ts'
import type {
  DetailCode,
  DetailValues,
  ErrorDetail,
  LimitedThing,
  TextSubject,
} from '../../shared/error-details.ts'
import type { ErrorCode, messages } from '../../shared/errors.ts'

/** Messages whose wording the specification fixes. */
export const specifiedMessages: Readonly<Record<keyof typeof messages, MessageDescriptor>> = {
  promptMissing: msg`Please provide a prompt`,
  dailyLimit: msg`You have reached your daily image limit.`,
  shareIncomplete: msg`Please enter a prompt and generate an image`,
  generateFailed: msg`Something went wrong!`,
  shareFailed: msg`Failed to share post`,
}

/** Messages of the error codes. */
export const errorMessages: Readonly<Record<ErrorCode, MessageDescriptor>> = {
  bad_input: msg`The input is not valid.`,
  prompt_blocked: msg`The image service does not allow this prompt. Change it and try again.`,
  not_signed_in: msg`Please sign in first.`,
  forbidden: msg`You are not allowed to do this.`,
  not_found: msg`Not found.`,
  canceled: msg`The generation was canceled.`,
  too_large: msg`The request is too large.`,
  rate_limited: msg`Too many requests. Try again in a moment.`,
  daily_limit: specifiedMessages.dailyLimit,
  site_limit: msg`This site has reached its daily image limit. Try again after midnight UTC.`,
  upload_limit: msg`You have reached your daily upload limit.`,
  post_limit: msg`You have reached your daily post limit.`,
  storage_limit: msg`Your images take up all the storage that you have. Delete some, and empty the trash.`,
  too_many_unfinished: msg`You have too many unfinished images. Wait for one to finish.`,
  api_key_limit: msg`You have too many API keys. Revoke one first.`,
  internal: specifiedMessages.generateFailed,
  engine_failed: msg`The image could not be generated. Try again.`,
  engine_misconfigured: msg`The image service is not set up correctly. Contact the operator of this site.`,
  engine_out_of_credit: msg`The image service is out of credit. Contact the operator of this site.`,
  engine_out_of_memory: msg`The image engine has too little memory for this image. Choose a smaller size.`,
  engine_unavailable: msg`The image engine cannot be reached. Try again later.`,
  engine_busy: msg`The image service is busy. Try again in a moment.`,
  interrupted: msg`The server stopped while the image was being generated. Try again.`,
  queue_full: msg`Many images are being generated right now. Try again in a moment.`,
  busy: msg`The server is busy. Try again in a moment.`,
  storage_unavailable: msg`This site can't read or save anything right now. Try again in a moment.`,
  sign_in_unavailable: msg`Sign-in is unavailable. Please try again in a moment.`,
  engine_timeout: msg`The image took too long to generate. Try again.`,
  storage_full: msg`This site is out of storage space. Contact the operator of this site.`,
}

const rateLimitMessages: Readonly<Record<LimitedThing, (duration: string) => MessageDescriptor>> = {
  requests: (duration) => msg`Too many requests. Try again in ${duration}.`,
  attempts: (duration) => msg`Too many attempts. Try again in ${duration}.`,
  'sign-ups': (duration) => msg`Too many sign-ups from your network. Try again in ${duration}.`,
  links: (duration) => msg`Too many requests for a link. Try again in ${duration}.`,
  exports: (duration) => msg`Too many downloads of your data. Try again in ${duration}.`,
}

const lengthMessages: Readonly<Record<TextSubject, (max: string) => MessageDescriptor>> = {
  prompt: (max) => msg`A prompt may have at most ${max} characters.`,
  negative_prompt: (max) => msg`A negative prompt may have at most ${max} characters.`,
  name: (max) => msg`A name may have at most ${max} characters.`,
  search: (max) => msg`A search term may have at most ${max} characters.`,
  report: (max) => msg`A report may have at most ${max} characters.`,
  appeal: (max) => msg`An appeal may have at most ${max} characters.`,
  note: (max) => msg`A note may have at most ${max} characters.`,
  announcement: (max) => msg`An announcement may have at most ${max} characters.`,
}

type DetailMessages = {
  readonly [Code in DetailCode]:
    | MessageDescriptor
    | ((values: NonNullable<DetailValues<Code>[0]>, i18n: I18n) => MessageDescriptor)
}

const detailMessages: DetailMessages = {
  account_blocked: msg`An administrator has blocked this account.`,
  account_closed: msg`This account has been deleted or closed.`,
  accounts_elsewhere: msg`The accounts of this site are at a sign-in service, which also invites users.`,
  administrators_only: msg`Only administrators can do this.`,
  announcement_changed: msg`This announcement was changed or removed meanwhile.`,
  announcement_ended: msg`The end must be in the future.`,
  announcement_link: msg`The link must begin with https:// or with / for a page of this site.`,
  announcements_max: ({ max }) => msg`There are ${max} announcements already. Remove one first.`,
  api_key_scope: ({ scope }) => msg`This API key does not have the scope ${scope}.`,
  api_keys_max: ({ max }) => msg`You already have ${max} API keys. Revoke one first.`,
  appealed_already: msg`You have already appealed against this decision.`,
  author_not_found: msg`Author not found.`,
  change_by_author_only: msg`Only its author can change a post.`,
  delete_by_author_only: msg`Only its author can delete a post.`,
  engine_paused: ({ label }) => msg`The engine ${label} is paused. Choose another one, or try again later.`,
  engine_restricted: ({ label }) => msg`You may not use the engine ${label}.`,
  image_deleted_by_administrator: msg`An administrator has deleted this image. It cannot be shared again.`,
  image_hidden: msg`A moderator has hidden this image. It cannot be shared.`,
  image_not_found: msg`Image not found.`,
  image_not_ready: msg`This image is not ready to be shared.`,
  image_of_other_user: msg`This image belongs to another user.`,
  image_too_large: ({ maxMegabytes }) => msg`The image has more than ${maxMegabytes} MB.`,
  image_unfinished: msg`This image is still being generated. Cancel it first.`,
  images_left: ({ left, count }) =>
    msg`You can generate ${plural(left, { one: '# more image', other: '# more images' })} today, not ${count}.`,
  marked_sensitive: msg`A moderator has marked this post as sensitive.`,
  moderators_only: msg`Only moderators and administrators can do this.`,
  own_account: msg`You cannot do this to your own account.`,
  network_busy: msg`Too many requests from your network at once. Try again in a moment.`,
  no_engine: msg`You may not use any image engine of this site at present.`,
  option_fixed: msg`This option is set by an environment variable.`,
  other_site: msg`This request came from another site.`,
  passkey_not_found: msg`Passkey not found.`,
  passkey_not_verified: msg`The passkey could not be verified. Try again.`,
  passkeys_max: ({ max }) => msg`You already have ${max} passkeys. Delete one first.`,
  photo_format: msg`The photo is not a JPEG, PNG or WebP image.`,
  photo_too_large: ({ maxMegabytes }) => msg`The photo has more than ${maxMegabytes} MB.`,
  photo_too_many_pixels: ({ maxMegapixels }) => msg`The photo has more than ${maxMegapixels} megapixels.`,
  photo_unreadable: msg`The photo could not be read as an image.`,
  photos_busy: msg`Many photos are being shared right now. Please try again in a moment.`,
  post_hidden: msg`A moderator has hidden this post. It cannot be changed.`,
  post_not_found: msg`Post not found.`,
  rate_limit: ({ what, seconds }, { locale, locales = locale }) =>
    rateLimitMessages[what](durationInWords(seconds, locales)),
  reference_hidden: msg`A hidden image can’t be a reference image.`,
  reference_unfinished: msg`A reference image must be finished.`,
  role_fixed: ({ variable }) => msg`This role is set by the environment variable ${variable}.`,
  search_too_long: msg`This search took too long. Try a longer term.`,
  searches_busy: msg`Too many searches from your network at once. Try again in a moment.`,
  storage_limit: ({ megabytes }, i18n) => {
    const limit = i18n.number(megabytes)
    return msg`Your images may take up ${limit} MB, and no more fit in. Delete some, and empty the trash.`
  },
  shared_with_other_options: msg`You have already shared this image with this prompt, with other options. To change them, edit that post.`,
  text_characters: ({ subject, max }, i18n) => lengthMessages[subject](i18n.number(max)),
  text_code_units: msg`This text is too long. Emoji and combined letters count several times: use fewer of them.`,
  sessions_at_clerk: msg`Sessions are managed by Clerk: end them in its dashboard.`,
  user_not_found: msg`User not found.`,
  webhook_address_not_allowed: ({ host }) =>
    msg`Webhooks may not connect to ${host}: its address is private or belongs to this site.`,
  webhook_deliveries_max: ({ max }, i18n) => {
    const limit = i18n.number(max)
    return msg`${limit} deliveries of this webhook wait already. Try again later.`
  },
  webhook_delivery_not_found: msg`Delivery not found.`,
  webhook_disabled: msg`This webhook is disabled. Enable it first.`,
  webhook_host_unknown: ({ host }) => msg`The host ${host} is unknown.`,
  webhook_host_unresolved: ({ host }) => msg`The host ${host} could not be looked up. Try again in a moment.`,
  webhook_https_required: msg`The URL must begin with https://.`,
  webhook_not_found: msg`Webhook not found.`,
  webhook_url: ({ max }, i18n) => {
    const limit = i18n.number(max)
    return msg`The URL must begin with https://, have at most ${limit} characters, and no user name or password.`
  },
  webhooks_max: ({ max }) => msg`There are ${max} webhooks already. Delete one first.`,
  upload_in_progress: ({ seconds }) =>
    msg`Another upload of yours is still being processed. Try again in ${plural(seconds, { one: '# second', other: '# seconds' })}.`,
}

/** Returns the message of an error: that of its detail if this version knows it, else that of its code. */
export function errorMessage(code: ErrorCode, detail: ErrorDetail | null, i18n: I18n): string {
  return (detail && detailMessage(detail, i18n)) ?? i18n._(errorMessages[code])
}

/** Returns the message of a detail; null for one that only a newer server knows. */
export function detailMessage({ code, values }: ErrorDetail, i18n: I18n): string | null {
  const message = (detailMessages as Record<string, DetailMessages[DetailCode] | undefined>)[code]
  if (message === undefined) return null
  const describe = message as MessageDescriptor | ((values: unknown, i18n: I18n) => MessageDescriptor)
  return i18n._(typeof describe === 'function' ? describe(values, i18n) : describe)
}
