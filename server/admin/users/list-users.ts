import type { ManagedUser, ManagedUsers } from '../../../shared/admin.ts'
import type { Database } from '../../db/open-database.ts'
import { isOneOf } from '../../db/pagination.ts'
import { AppError, describedDetail } from '../../errors/app-error.ts'
import { readAccessOfAll } from '../../users/user-access.ts'
import type { DirectoryQuery, DirectoryUser, UserDirectory } from '../../users/user-directory.ts'

interface ListServices {
  readonly db: Database
  readonly authenticator: { readonly directory: UserDirectory }
}

/** Lists users, the newest first. @throws AppError `bad_input` for an unknown cursor */
export async function listUsers(
  { db, authenticator: { directory } }: ListServices,
  query: DirectoryQuery,
): Promise<ManagedUsers> {
  const { users, nextCursor, total } = await directory.list(db, query)
  return { users: await describeUsers(db, directory, users), nextCursor, total }
}

/** Finds a user. @throws AppError `not_found` */
export async function getUser(
  { db, authenticator: { directory } }: ListServices,
  userId: string,
): Promise<ManagedUser> {
  const found = await directory.find(db, userId)
  const [user] = found ? await describeUsers(db, directory, [found]) : []
  if (!user) throw userNotFound()
  return user
}

export function userNotFound(): AppError {
  return new AppError('not_found', describedDetail('user_not_found'))
}

/** Adds what is the same for every kind of accounts. */
async function describeUsers(
  db: Database,
  directory: UserDirectory,
  users: readonly DirectoryUser[],
): Promise<ManagedUser[]> {
  const ids = users.map(({ id }) => id)
  const accessOf = await readAccessOfAll(db, ids)
  const images = await countImages(db, ids)
  const posts = await countPosts(db, ids)
  const bytes = await sumBytes(db, ids)
  return users.map(({ createdAt, lastSeenAt, ...user }) => {
    const access = accessOf(user.id)
    const fixed = directory.fixedRole(user.id, access)
    return {
      ...user,
      role: fixed?.role ?? access.role,
      fixedRole: fixed?.variable ?? null,
      blocked: access.isBlocked,
      dailyImageLimit: access.dailyImageLimit,
      createdAt: new Date(createdAt).toISOString(),
      lastSeenAt: lastSeenAt === null ? null : new Date(lastSeenAt).toISOString(),
      images: images.get(user.id) ?? 0,
      posts: posts.get(user.id) ?? 0,
      storedBytes: bytes.get(user.id) ?? 0,
    }
  })
}

async function countImages(db: Database, ownerIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('images')
    .select(['owner_id', (eb) => eb.fn.countAll<number>().as('images')])
    .where(isOneOf(db, 'owner_id', ownerIds, 'text'))
    .where('source', '=', 'generated')
    .where('state', '=', 'succeeded')
    .where('trashed_at', 'is', null)
    .groupBy('owner_id')
    .execute()
  return new Map(rows.map(({ owner_id, images }) => [owner_id, images]))
}

async function countPosts(db: Database, authorIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('posts')
    .select(['author_id', (eb) => eb.fn.countAll<number>().as('posts')])
    .where(isOneOf(db, 'author_id', authorIds, 'text'))
    .groupBy('author_id')
    .execute()
  return new Map(rows.map(({ author_id, posts }) => [author_id, posts]))
}

/** PostgreSQL returns sums as strings. */
async function sumBytes(db: Database, ownerIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('images')
    .select(['owner_id', (eb) => eb.fn.sum<number | string>('bytes').as('bytes')])
    .where(isOneOf(db, 'owner_id', ownerIds, 'text'))
    .where('bytes', 'is not', null)
    .where('withdrawn_at', 'is', null)
    .groupBy('owner_id')
    .execute()
  return new Map(rows.map(({ owner_id, bytes }) => [owner_id, Number(bytes)]))
}
