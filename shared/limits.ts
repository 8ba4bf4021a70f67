/** Limits that the server enforces and the client checks or shows. */

/**
 * Maximum length of a text. Characters are user-perceived (graphemes) and may have any number of UTF-16 code units:
 * scripts of India use up to 2.6 on average, emoji up to 15. The limit of code units bounds memory and time.
 */
export interface TextLimit {
  readonly characters: number
  readonly codeUnits: number
}

export const promptLimit: TextLimit = { characters: 4_000, codeUnits: 16_000 }
/** Maximum length of a prompt that is drawn while it is typed, in UTF-16 code units. */
export const previewPromptLength = 300
export const nameLimit: TextLimit = { characters: 80, codeUnits: 320 }
export const searchLimit: TextLimit = { characters: 500, codeUnits: 2_000 }

/** Maximum size of a photo after decoding from base64, in bytes. */
export const uploadMaxBytes = 20 * 1024 * 1024
export const uploadMaxPixels = 40_000_000

/** Maximum number of pixels of an enlarged image: its PNG still fits what is received of an engine. */
export const upscaleMaxPixels = 4_096 * 4_096

/** Maximum number of images of one call of `images.generate`. */
export const countMax = 4

/** Maximum length of the value of a parameter, in UTF-16 code units. */
export const parameterMax = 1_000

/** Maximum number of LoRAs of one request. */
export const lorasMax = 8

/** Largest weight of a LoRA. The least one is its opposite. */
export const loraWeightMax = 10
export const seedMax = 4_294_967_295
export const referenceImagesMax = 4

/** Default number of posts on a page of the gallery. */
export const pageSize = 24
export const pageSizeMax = 1_000

/** Maximum number of images that one call of `images.watch` reports on. */
export const watchedImagesMax = 100

/** Highest daily image limit of a user or the site. */
export const dailyImagesMax = 1_000_000
/** Maximum of a budget, in USD. */
export const dollarsMax = 1_000_000
/** Maximum of the site options `unsharedImageDays` and `storageLimitMegabytes`. */
export const unsharedImageDaysMax = 3_650
export const storageLimitMegabytesMax = 10_000_000

/** Delay between the last keystroke and the search of the gallery. */
export const searchDebounceMs = 500

/** Author name of a post without one. */
export const defaultAuthorName = 'User'

/** Minimum length of the password of a local account, in characters. */
export const passwordMinLength = 8
/** Maximum length of a password, which bounds the cost of hashing it. */
export const passwordMaxLength = 128

/**
 * Maximum length of an email address, in characters: an SMTP path has 256 octets, two of them its brackets.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1.3
 */
export const emailMaxLength = 254
/**
 * Maximum length of the local part, before the @, in characters.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1.1
 */
export const emailLocalPartMaxLength = 64

/** Lifetime of cookies with a visitor's choices. */
export const yearSeconds = 365 * 24 * 60 * 60
