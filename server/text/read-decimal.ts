/** Reads a whole number of decimal digits; NaN for any other text, also with a sign, spaces, an exponent or a prefix such as 0x. */
export function readDecimal(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
}
