import { Readable } from 'node:stream'
import { sql, type ExpressionBuilder } from 'kysely'
import { originalFile } from '../../shared/image-files.ts'
import type { Viewer } from '../../shared/viewer.ts'
import type { Database } from '../db/open-database.ts'
import type { Schema } from '../db/schema.ts'
import { isStorageError } from '../errors/app-error.ts'
import { fileXmp, sourceColumns, type SourceRow } from './images.ts'
import { createVariant, variants, type Variant } from './processing.ts'
import type { Needs } from './services.ts'

/**
 * Users who may open the files of an image: everyone; its owner, and others by a link that the owner asked for; its owner
 * and moderators; its owner only.
 */
type Audience = 'everyone' | 'owner and links' | 'owner and moderators' | 'owner'

/** Columns for access checks and metadata. */
interface FileRow extends SourceRow {
  readonly owner_id: string
  readonly audience: Audience
  /** Name of the file that may contain a prompt which a post hides; null for none. */
  readonly hiddenFile: string | null
}

/**
 * Selects who may open the files of an image. The only rule about it: every route that sends a file asks it.
 *
 * - A hidden image is for its owner and moderators.
 * - One with a post that others may see is for everyone.
 * - One without posts, never shared or not any more, is for its owner, who may give away links to it.
 * - One whose posts are all private, or that is in the trash, is for its owner.
 *
 * A file that may contain a prompt which a post hides is for those who may open an image that is not for everyone.
 */
function audience(eb: ExpressionBuilder<Schema, 'images'>) {
  const posts = postsOf(eb)
  const is = (value: Audience) => sql.lit(value)
  return eb
    .case()
    .when('hidden_at', 'is not', null)
    .then(is('owner and moderators'))
    .when('trashed_at', 'is not', null)
    .then(is('owner'))
    .when(eb.exists(posts.where('posts.visibility', '<>', 'private')))
    .then(is('everyone'))
    .when(eb.exists(posts))
    .then(is('owner'))
    .else(is('owner and links'))
    .end()
}

function postsOf({ selectFrom }: ExpressionBuilder<Schema, 'images'>) {
  return selectFrom('posts').select('posts.id').whereRef('posts.image_id', '=', 'images.id')
}

/** Checks whether a viewer may open the files of an image that is not for everyone. */
function mayOpen(viewer: Viewer | null, image: FileRow): boolean {
  if (viewer === null) return false
  return (
    viewer.id === image.owner_id || (viewer.role !== 'member' && image.audience === 'owner and moderators')
  )
}

/** Finds an image that a link opens now; null if there is none, or if it is not for those with links any more. */
export async function findLinkedImage(db: Database, id: string) {
  const image = await db
    .selectFrom('images')
    .select((eb) => ['folder', ...sourceColumns, audience(eb).as('audience')])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!image || image.folder === null) return null
  const isOpen = image.audience === 'everyone' || image.audience === 'owner and links'
  return isOpen ? { ...image, folder: image.folder } : null
}

export type OpenImageFile = ReturnType<typeof createOpenImageFile>

/**
 * Creates the function that opens a file of a stored image, or only finds its size for `HEAD`. It returns null if there is none, or
 * the viewer may not open it, and calls `viewer` only for one that is not `isPublic`: for everyone, so that shared caches may keep
 * it. The stream must be consumed or destroyed. Missing variants are created on the first request, once for simultaneous ones.
 */
export function createOpenImageFile(services: Needs<'db' | 'blobs' | 'log'>) {
  const { blobs } = services
  const findImage = createFindImage(services.db)
  const pending = new Map<string, Promise<Uint8Array | null>>()

  return async (
    folder: string,
    file: string,
    method: 'GET' | 'HEAD',
    viewer: () => Promise<Viewer | null>,
  ) => {
    const image = await findImage(folder)
    if (!image) return null
    const isPublic = image.audience === 'everyone' && file !== image.hiddenFile
    if (!isPublic && !mayOpen(await viewer(), image)) return null
    if (method === 'GET') {
      const found = await blobs.open(folder, file)
      if (found) return { ...found, isPublic }
    } else {
      const size = await blobs.size(folder, file)
      if (size !== null) return { size, stream: null, isPublic }
    }
    const variant = variants.find((one) => one.file === file)
    if (!variant) return null
    const key = `${folder}/${file}`
    const creation =
      pending.get(key) ?? storeVariant(services, folder, image, variant).finally(() => pending.delete(key))
    pending.set(key, creation)
    const bytes = await creation
    return bytes && { size: bytes.byteLength, stream: () => Readable.from([bytes]), isPublic }
  }
}

/** Whether visitors of a post may read the prompt of its image, which the file of an engine may contain. */
const showsPrompt = sql<boolean>`
  (posts.hide_prompt = 0 AND coalesce(posts.shared_prompt, posts.prompt) = images.prompt)`

/** Creates a function that finds an image by its folder. Compiles the query once, as every request for a file runs it. */
function createFindImage(db: Database): (folder: string) => Promise<FileRow | undefined> {
  const query = db
    .selectFrom('images')
    .select((eb) => [
      'owner_id',
      ...sourceColumns,
      audience(eb).as('audience'),
      eb
        .case()
        .when(eb.exists(postsOf(eb).where(({ not }) => not(showsPrompt))))
        .then(eb.ref('credentials'))
        .end()
        .as('hiddenFile'),
    ])
    .where('folder', '=', '')
    .compile()
  return async (folder) => {
    // The folder is the last parameter.
    const parameters = [...query.parameters.slice(0, -1), folder]
    const { rows } = await db.executeQuery<FileRow>({ ...query, parameters })
    return rows[0]
  }
}

async function storeVariant(
  { blobs, log }: Needs<'blobs' | 'log'>,
  folder: string,
  image: FileRow,
  variant: Variant,
): Promise<Uint8Array | null> {
  const { file } = variant
  const bytes = await createVariant(() => blobs.read(folder, originalFile), variant, fileXmp(image))
  if (!bytes) return null
  try {
    await blobs.add(folder, file, bytes)
  } catch (err) {
    // It is served without being stored.
    if (!isStorageError(err)) throw err
    log.warn({ err, folder, file }, 'a missing variant of an image could not be stored')
  }
  return bytes
}
