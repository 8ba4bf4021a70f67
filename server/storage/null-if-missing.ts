import { systemCode } from './disk-error.ts'

/** What was found; null where there is nothing of that name. */
export async function nullIfMissing<Found>(found: Promise<Found>): Promise<Found | null> {
  try {
    return await found
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw error
  }
}
