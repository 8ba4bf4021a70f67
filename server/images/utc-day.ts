/** The UTC day of a moment (milliseconds since 1970), as 'YYYY-MM-DD'. */
export function utcDay(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10)
}

/** The midnight that ends a moment's UTC day, as ISO 8601. */
export function endOfUtcDay(moment: number): string {
  const date = new Date(moment)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1)).toISOString()
}
