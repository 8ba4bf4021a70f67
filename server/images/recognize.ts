import { credentialsFiles } from '../../shared/image-files.ts'
import { sql } from 'kysely'
import { isListed } from '../db/gallery.ts'
import type { Database } from '../db/open-database.ts'
import { isOneOf } from '../db/pagination.ts'
import { isAiMade } from './images.ts'
import { compareAppearance, fingerprintParts, nearbyParts, type Appearance } from './fingerprint.ts'

/** Images with a part of a fingerprint that are compared, in the order of the index. Of a million, some 260 have it, unless it says little. */
const comparedImages = 2_000

export interface FileTraits extends Appearance {
  /** SHA-256 in hex: of the file, and of what may be stored of it. */
  readonly digests: readonly string[]
}

/**
 * Finds the image of this site that a file is or looks like, among those that the viewer may see: images with a listed post, and
 * the viewer's own. Generated ones come before uploads, which may be copies of them, and then the closest and oldest. Takes the
 * same time at any number of images. `isExact`: its bytes are the same; otherwise it only looks the same.
 *
 * @param viewerId null for visitors
 */
export async function recognize(db: Database, viewerId: string | null, traits: FileTraits) {
  const { digests } = traits
  const exact = await visibleImages(db, viewerId)
    .where((eb) => eb.or([eb('sha256', 'in', digests), eb('credentials', 'in', credentialsFiles(digests))]))
    .limit(1)
    .execute()
  const close = await findClose(db, traits)
  const similar = await visibleImages(db, viewerId)
    .where(isOneOf(db, 'seq', [...close.keys()], 'bigint'))
    .execute()
  const isSame = (image: { readonly id: string }) => image.id === exact[0]?.id
  const distance = (image: { readonly id: string; readonly seq: number }) =>
    isSame(image) ? -1 : (close.get(image.seq) ?? 0)
  const [best] = [...exact, ...similar].sort(
    (a, b) => a.source.localeCompare(b.source) || distance(a) - distance(b),
  )
  return best ? { ...best, ownerId: best.owner_id, isAiMade: isAiMade(best), isExact: isSame(best) } : null
}

function visibleImages(db: Database, viewerId: string | null) {
  return db
    .selectFrom('images')
    .select(['seq', 'id', 'owner_id', 'source', 'engine', 'engine_kind', 'marks'])
    .where('hidden_at', 'is', null)
    .where('trashed_at', 'is', null)
    .where((eb) =>
      eb.or([
        ...(viewerId === null ? [] : [eb('owner_id', '=', viewerId)]),
        eb.exists(
          eb
            .selectFrom('posts')
            .select('posts.id')
            .whereRef('posts.image_id', '=', 'images.id')
            .where(isListed()),
        ),
      ]),
    )
    .orderBy('source')
    .orderBy('seq')
}

/** Finds images that look the same, with the distance of their fingerprints by their `seq`. */
async function findClose(db: Database, traits: FileTraits) {
  const { fingerprint } = traits
  const found = new Map<number, number>()
  if (fingerprint === null) return found
  const parts = fingerprintParts.map((start) =>
    db
      .selectFrom('images')
      .select(['seq', 'fingerprint', 'placeholder', 'width', 'height'])
      // As the indexes have it.
      .where(sql`substr(fingerprint, ${sql.lit(start)}, 4)`, 'in', nearbyParts(fingerprint, start))
      .where('fingerprint', 'is not', null)
      .limit(comparedImages)
      .execute(),
  )
  for (const row of (await Promise.all(parts)).flat()) {
    const distance = compareAppearance(row, traits)
    if (distance !== null) found.set(row.seq, distance)
  }
  return found
}
