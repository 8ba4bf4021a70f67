/** Business constants that both sides know. */

/**
 * How long a text may be. Characters are what users see (graphemes), and one of them may take any number of UTF-16 code
 * units: scripts of India use up to 2.6, emoji up to 15. So memory and time are bounded by code units.
 */
export interface TextLimit {
  readonly characters: number
  readonly codeUnits: number
}

export const promptLimit: TextLimit = { characters: 4_000, codeUnits: 16_000 }
export const nameLimit: TextLimit = { characters: 80, codeUnits: 320 }
export const searchLimit: TextLimit = { characters: 500, codeUnits: 2_000 }

/** Size of a posted photo after decoding from base64, in bytes. */
export const uploadMaxBytes = 20 * 1024 * 1024
/** Pixels of a posted photo, width times height. */
export const uploadMaxPixels = 40_000_000

/** Posts on one page of the gallery. */
export const pageSize = 24
/** The most posts that one call may ask for. */
export const pageSizeMax = 1_000

/** Maximum number of images that one call of `images.watch` reports on. */
export const watchedImagesMax = 100

/** Pause after the last keystroke before the gallery is searched, in milliseconds. */
export const searchDebounce = 500

/** The author of a post that names none. */
export const defaultAuthorName = 'User'

/** The shortest password of a local account, in characters. */
export const passwordMinLength = 8
/** The longest, which only keeps hashing cheap. */
export const passwordMaxLength = 128

/**
 * Maximum length of an email address, in characters: an SMTP path has 256 octets, two of them its brackets.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1.3
 */
export const emailMaxLength = 254
/**
 * Maximum length of what stands before the @, in characters.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1.1
 */
export const emailLocalPartMaxLength = 64
