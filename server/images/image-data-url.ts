import { sniffFormat } from '../formats/sniff-format.ts'

/** A picture as a data URL of the type that its bytes say; null for what is no picture that we take. */
export function pictureDataUrl(bytes: Uint8Array): string | null {
  const format = sniffFormat(bytes)
  return format && `data:image/${format};base64,${Buffer.from(bytes).toString('base64')}`
}
