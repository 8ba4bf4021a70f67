/** Formats a stored time, in milliseconds since 1970, as ISO 8601 in UTC. Null stays null. */
export function isoTime<Time extends number | null>(time: Time): Time extends number ? string : string | null
export function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}
