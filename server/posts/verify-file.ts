import type { Viewer } from '../../shared/viewer.ts'
import { recognize } from '../images/recognize.ts'
import type { Needs } from '../images/services.ts'
import { inspectFile } from '../images/upload-image.ts'
import { findListedPost } from './post-queries.ts'

/**
 * Says what is known about a file, one of a caller at a time: the image of this site that it shows, if the caller may see that,
 * and what its metadata says. Nothing is stored.
 *
 * @param caller the user, or the client network of a visitor
 * @throws see `inspectFile`; AppError `too_many_unfinished`
 */
export function verifyFile(
  { db, uploadQueue }: Needs<'db' | 'uploadQueue'>,
  viewer: Viewer | null,
  caller: string,
  read: () => Promise<Uint8Array>,
) {
  return uploadQueue.run(caller, undefined, async () => {
    const { marks, ...traits } = await inspectFile(await read())
    const found = await recognize(db, viewer?.id ?? null, traits)
    if (!found) return { match: null, marks }
    const { isExact, source, isAiMade } = found
    /** The oldest listed post of the image; null if it is not shared. */
    const post = await findListedPost(db, found.id)
    return { match: { isExact, isOwn: found.ownerId === viewer?.id, source, isAiMade, post }, marks }
  })
}
