import { sniffFormat } from '../formats/sniff-format.ts'
import { EngineError } from './engine-error.ts'

/** Maximum size of an image from a provider, in bytes. */
export const imageMaxBytes = 32_000_000

/** Maximum size of a JSON response with such an image in base64, in bytes. */
export const jsonMaxBytes = Math.ceil((imageMaxBytes * 4) / 3) + 1_000_000

const dataUrlPrefix = /^data:[^,]*;base64,/i

/**
 * Decodes base64, or a data URL of it.
 *
 * @throws EngineError if the text is not complete base64, or for the reasons of `requireImage`
 */
export function decodeImage(text: string): Uint8Array {
  const base64 = text.replace(dataUrlPrefix, '')
  const bytes = Buffer.from(base64, 'base64')
  // The decoder skips invalid characters, which shortens the result. Line breaks and padding do not count.
  const digits = base64.length - (/[=\s]/.test(base64) ? (base64.match(/[=\s]/g) ?? []).length : 0)
  if (bytes.length !== Math.floor((digits * 3) / 4) || digits % 4 === 1) {
    throw new EngineError('engine_failed', 'the image in the response is not complete base64')
  }
  return requireImage(bytes)
}

/**
 * Verifies that bytes begin like an image, whatever the content type; does not decode them.
 *
 * @throws EngineError if they exceed `imageMaxBytes` or are not JPEG, PNG or WebP
 */
export function requireImage(bytes: Uint8Array): Uint8Array {
  if (bytes.length > imageMaxBytes) {
    throw new EngineError('engine_failed', 'the image in the response is too large')
  }
  if (!sniffFormat(bytes)) {
    throw new EngineError('engine_failed', 'the response contains no JPEG, PNG or WebP image')
  }
  return bytes
}
