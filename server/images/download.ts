import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { originalFile } from '../../shared/image-files.ts'
import type { Recipe } from '../../shared/images.ts'
import { isStorageError, storageUnavailable } from '../errors/app-error.ts'
import { infotext } from '../../shared/infotext.ts'
import {
  commentMaxLength,
  hasContentCredentials,
  readXmp,
  replaceHeader,
  xmpMaxBytes,
  type DownloadMetadata,
} from '../formats/image-files.ts'
import { addRecipe, imageXmp, withoutRecipe, xmpNamespace, type ImageProducer } from '../formats/xmp.ts'
import { diskRetrySeconds } from '../files/disk-files.ts'
import type { BlobStore } from '../storage/blob-store.ts'
import { type ImageRow, producerOf } from './images.ts'

/** File of an image with its recipe. */
export type Download = NonNullable<Awaited<ReturnType<typeof openDownload>>>

/** Maximum number of bytes before the first scan of a file whose metadata is replaced. */
const headerMaxBytes = 1024 * 1024

/**
 * Opens the original of an image with its recipe, null for an upload, as XMP and EXIF; null if it does not exist. JPEGs
 * with content credentials and uploads are sent byte for byte.
 * @throws AppError `storage_unavailable`
 */
export async function openDownload(
  { blobs }: { readonly blobs: BlobStore },
  image: Pick<ImageRow, 'folder' | 'engine' | 'engine_kind' | 'model'>,
  recipe: Recipe | null,
) {
  if (image.folder === null) return null
  const file = await blobs.open(image.folder, originalFile)
  if (!file) return null
  const producer = producerOf(image)
  const source = file.stream()
  const start = await readStart(source)
  const replaced =
    recipe && producer && !hasContentCredentials(start)
      ? replaceHeader(start, metadataOf(start, producer, recipe))
      : null
  const { header, replacedBytes } = replaced ?? { header: Buffer.of(), replacedBytes: 0 }
  const stream = Readable.from(joined([header, start.subarray(replacedBytes)], source))
  stream.once('close', () => source.destroy())
  const hash = createHash('sha256').update(`${image.folder}\n`).update(header)
  return {
    size: file.size - replacedBytes + header.length,
    /** Identifies the bytes, as a strong entity tag. */
    etag: `"${hash.digest('base64url').slice(0, 22)}"`,
    /** To be consumed or destroyed. */
    stream,
  }
}

/** Reads the bytes in which the metadata of a file is. @throws AppError `storage_unavailable` */
async function readStart(source: Readable) {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes >= headerMaxBytes) break
    }
    return Buffer.concat(chunks)
  } catch (error) {
    source.destroy()
    throw isStorageError(error) ? error : storageUnavailable(error, diskRetrySeconds)
  }
}

async function* joined(parts: readonly Uint8Array[], rest: Readable) {
  yield* parts.filter((part) => part.length > 0)
  yield* rest
}

function metadataOf(start: Uint8Array, producer: ImageProducer, recipe: Recipe): DownloadMetadata {
  const stored = readXmp(start)
  const packet = stored?.includes(xmpNamespace) ? stored : imageXmp(producer)
  const comment = infotext(recipe)
  return {
    xmp: addRecipe(packet, producer, recipe, xmpMaxBytes),
    comment: comment.length <= commentMaxLength ? comment : null,
  }
}

/** Reconstructs the stored file from a download with its recipe; null for any other file. */
export function originalOf(download: Uint8Array): Uint8Array | null {
  const packet = readXmp(download)
  const xmp = packet === null ? null : withoutRecipe(packet)
  const replaced = xmp === null ? null : replaceHeader(download, { xmp, comment: null })
  return replaced && Buffer.concat([replaced.header, download.subarray(replaced.replacedBytes)])
}
