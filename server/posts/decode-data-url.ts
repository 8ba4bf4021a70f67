import { uploadMaxBytes } from '../../shared/limits.ts'
import { AppError } from '../errors/app-error.ts'

const megabytes = uploadMaxBytes / 1024 / 1024

/**
 * The bytes of a base64 data URL. Its declared type is not believed: the bytes are looked at later.
 *
 * @throws AppError `bad_input` or, for more than `uploadMaxBytes`, `too_large`
 */
export function decodeDataUrl(url: string): Uint8Array {
  const comma = url.slice(0, 200).indexOf(',')
  if (comma < 0 || !/^data:[^,]*;base64$/i.test(url.slice(0, comma))) {
    throw new AppError('bad_input', 'The photo must be a data URL in base64.')
  }
  const encoded = url.slice(comma + 1)
  if (Math.floor((encoded.length * 3) / 4) - 2 > uploadMaxBytes) {
    throw new AppError('too_large', `The photo has more than ${megabytes} MB.`)
  }
  if (!isBase64(encoded)) {
    throw new AppError('bad_input', 'The photo is not valid base64.')
  }
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.length > uploadMaxBytes)
    throw new AppError('too_large', `The photo has more than ${megabytes} MB.`)
  return bytes
}

/** Node's own decoder takes anything and skips what it does not know. Padding may be missing, but not be wrong. */
function isBase64(encoded: string): boolean {
  const rest = encoded.length % 4
  return (encoded.endsWith('=') ? rest === 0 : rest !== 1) && /^[A-Za-z0-9+/]+={0,2}$/.test(encoded)
}
