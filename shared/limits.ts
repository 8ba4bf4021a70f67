/** Business constants that both sides know; lengths are in characters that people see (graphemes). */

export const promptMaxLength = 4_000
export const nameMaxLength = 80
export const searchMaxLength = 500

/** Size of a posted photo after decoding from base64, in bytes. */
export const photoMaxBytes = 20 * 1024 * 1024
/** Pixels of a posted photo, width times height. */
export const photoMaxPixels = 40_000_000

/** Posts on one page of the gallery. */
export const pageSize = 24
/** The most posts that one call may ask for. */
export const pageSizeMax = 1_000

/** Pause after the last keystroke before the gallery is searched, in milliseconds. */
export const searchDebounce = 500

/** The author of a post that names none. */
export const defaultAuthorName = 'User'

/** The shortest password of a local account, in characters. */
export const passwordMinLength = 8
/** The longest, which only keeps hashing cheap. */
export const passwordMaxLength = 128
