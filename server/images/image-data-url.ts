import { sniffFormat } from '../formats/sniff-format.ts'

/** An image as a data URL of the type that its bytes say; null for what is no image that we take. */
export function imageDataUrl(bytes: Uint8Array): string | null {
  const format = sniffFormat(bytes)
  return format && `data:image/${format};base64,${Buffer.from(bytes).toString('base64')}`
}
