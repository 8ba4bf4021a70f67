/**
 * How many milliseconds an answer asks to wait before trying again, from `retry-after-ms` or `retry-after`
 * (seconds or a date); undefined where it does not say.
 */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const milliseconds = readNumber(headers.get('retry-after-ms'))
  if (milliseconds !== undefined) return milliseconds
  const text = headers.get('retry-after')
  const seconds = readNumber(text)
  if (seconds !== undefined) return seconds * 1_000
  // Date.parse takes almost anything for a date.
  const date = /^[A-Z][a-z]{2}, .* GMT$/.test(text ?? '') ? Date.parse(text ?? '') : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

function readNumber(text: string | null): number | undefined {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
}
