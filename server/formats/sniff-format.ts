/** Image formats that are decoded. */
export type ImageFormat = 'jpeg' | 'png' | 'webp'

/** Detects the format of an image from its first bytes; null for any other format, such as SVG. */
export function sniffFormat(bytes: Uint8Array): ImageFormat | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 12)).toString('latin1')
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^RIFF[^]{4}WEBP$/.test(head)) return 'webp'
  return null
}
