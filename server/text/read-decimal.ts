/** Reads a whole number of decimal digits; NaN for any other text, also with a sign, spaces, an exponent or a prefix such as 0x. */
export function readDecimal(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
}

/** Reads a whole number, as `readDecimal` does; null for one that is not in the range, both ends included, and for any other text. */
export function readDecimalBetween(text: string, min: number, max: number): number | null {
  const number = readDecimal(text)
  return number >= min && number <= max ? number : null
}
