import { sniffFormat } from '../../formats/sniff-format.ts'
import { EngineFault } from './engine-fault.ts'

/** The longest picture that is taken from a provider. */
export const pictureMaxBytes = 32_000_000

/** The longest text that can hold such a picture in base64, with what stands around it. */
export const pictureTextMaxBytes = Math.ceil((pictureMaxBytes * 4) / 3) + 1_000_000

const dataUrl = /^data:[^,]*;base64,/i

/**
 * Decodes base64, or a data URL of it.
 *
 * @throws EngineFault where it is not whole base64, is too long or not a picture
 */
export function decodePicture(text: string): Uint8Array {
  const base64 = text.replace(dataUrl, '')
  const bytes = Buffer.from(base64, 'base64')
  // The decoder skips what it does not know, so the length tells; line breaks and padding are not counted.
  const digits = base64.length - (/[=\s]/.test(base64) ? (base64.match(/[=\s]/g) ?? []).length : 0)
  if (bytes.length !== Math.floor((digits * 3) / 4) || digits % 4 === 1) {
    throw new EngineFault('engine_failed', 'the picture in the answer is not whole base64')
  }
  return asPicture(bytes)
}

/**
 * Checks that bytes begin like a picture, whatever was declared; what may reach a decoder is for the domain to say.
 *
 * @throws EngineFault
 */
export function asPicture(bytes: Uint8Array): Uint8Array {
  if (bytes.length > pictureMaxBytes) {
    throw new EngineFault('engine_failed', 'the picture in the answer is too large')
  }
  if (!sniffFormat(bytes)) {
    throw new EngineFault('engine_failed', 'what is in the answer is not a JPEG, PNG or WebP picture')
  }
  return bytes
}
