import type { PersonData, SessionFacts } from '../../shared/account.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import { toImage } from '../images/image-row.ts'
import { selectPosts, toPost } from '../posts/post-row.ts'
import { listTokens } from '../tokens/list-tokens.ts'

type AccountFacts = { name: string; email: string; createdAt: string; sessions: readonly SessionFacts[] }

interface ExportPersonServices {
  readonly db: Database
  readonly authenticator: {
    profileOf(personId: string): Promise<AccountFacts | null>
  }
}

/** Everything that the server keeps of the viewer: what their account says, their images, posts, tokens and sessions. */
export async function exportPerson(
  { db, authenticator }: ExportPersonServices,
  viewer: Viewer,
): Promise<PersonData> {
  const profile = await authenticator.profileOf(viewer.id)
  const images = await db
    .selectFrom('images')
    .selectAll()
    .where('owner_id', '=', viewer.id)
    .where('source', '=', 'generated')
    .orderBy('seq', 'desc')
    .execute()
  const posts = await selectPosts(db)
    .where('posts.author_id', '=', viewer.id)
    .orderBy('posts.seq', 'desc')
    .execute()
  const tokens = await listTokens({ db }, viewer)
  return {
    person: {
      id: viewer.id,
      name: profile?.name ?? null,
      email: profile?.email ?? null,
      createdAt: profile?.createdAt ?? null,
    },
    images: images.map(toImage),
    posts: posts.map(toPost),
    tokens,
    sessions: profile?.sessions ?? [],
  }
}
