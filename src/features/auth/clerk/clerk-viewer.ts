import type { Viewer } from '../../../../shared/viewer.ts'

/** What we read of Clerk's user. */
export interface ClerkUser {
  readonly id: string
  readonly firstName: string | null
  readonly fullName: string | null
  readonly username: string | null
  readonly imageUrl: string
}

/** Clerk's user as this site shows users: some name there always is, though Clerk may know none. */
export function clerkViewer({
  id,
  firstName,
  fullName,
  username,
  imageUrl,
}: ClerkUser): Omit<Viewer, 'role'> {
  const names = [firstName, fullName?.trim().split(/\s+/)[0], username]
  return {
    id,
    firstName: names.find((name) => name?.trim())?.trim() ?? 'User',
    imageUrl: imageUrl || null,
  }
}
