import { useState } from 'react'

const msPerDay = 86_400_000

/** Returns the number of days, of which one has begun, until a time in ISO 8601; not positive if it has passed. */
export function useDaysUntil(at: string): number {
  const [openedAt] = useState(() => Date.now())
  return Math.ceil((Date.parse(at) - openedAt) / msPerDay)
}
