import { parseAccept } from 'hono/utils/accept'

/** How answers can be compressed, the best first. */
const encodings = ['br', 'gzip'] as const

export type Encoding = (typeof encodings)[number]

/** The best encoding that a request's Accept-Encoding takes; null for none. */
export function acceptedEncoding(header: string | undefined): Encoding | null {
  if (!header) return null
  const accepted = parseAccept(header)
  const quality = (name: string) => accepted.find(({ type }) => type.toLowerCase() === name)?.q
  const wildcard = quality('*') ?? 0
  return encodings.find((encoding) => (quality(encoding) ?? wildcard) > 0) ?? null
}
