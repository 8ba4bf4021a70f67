import sharp from 'sharp'
import type { Services } from '../../server/trpc/context.ts'
import { encodeCursor } from '../../server/db/pagination.ts'
import type { Fill } from './exchange.ts'
import { floods } from './inputs.ts'

let namesSoFar = 0

/** The first character of a placeholder, also in a URL. */
const placeholder = /«|%C2%AB/

/** Creates the values of placeholders: the user's latest posts and images, their keys and webhooks, and texts that are too long to print. */
export async function createFilling({ db }: Services, userId: string): Promise<Fill> {
  const posts = await db
    .selectFrom('posts')
    .select(['id', 'seq'])
    .where('author_id', '=', userId)
    .orderBy('seq', 'desc')
    .limit(20)
    .execute()
  const images = await db
    .selectFrom('images')
    .select(['id', 'seq', 'folder'])
    .where('owner_id', '=', userId)
    .where('state', '=', 'succeeded')
    .orderBy('seq', 'desc')
    .limit(20)
    .execute()
  const apiKeys = await db.selectFrom('api_keys').select('id').where('user_id', '=', userId).execute()
  const webhooks = await db.selectFrom('webhooks').select('id').where('user_id', '=', userId).execute()
  const collections = await db.selectFrom('collections').select('id').where('owner_id', '=', userId).execute()
  const photos = await (sampleImages ??= createSampleImages())
  const next = () => (namesSoFar += 1)
  const post = () => posts[next() % posts.length] ?? { id: 'none', seq: 1 }
  const image = () => images[next() % images.length] ?? { id: 'none', seq: 1, folder: 'none' }
  const values: Record<string, () => string> = {
    ...floods,
    ...photos,
    '«postId»': () => post().id,
    '«imageId»': () => image().id,
    '«apiKeyId»': () => apiKeys[next() % apiKeys.length]?.id ?? 'none',
    '«webhookId»': () => webhooks[next() % webhooks.length]?.id ?? 'none',
    '«collectionId»': () => collections[next() % collections.length]?.id ?? 'none',
    '«folder»': () => image().folder ?? '',
    '«postCursor»': () => encodeCursor('post', post().seq),
    '«imageCursor»': () => encodeCursor('image', image().seq),
    '«email»': () => `user-${next()}@example.org`,
    '«key»': () => `key-${next()}`,
  }
  return (text) => {
    if (!placeholder.test(text)) return text
    let filled = text
    for (const [name, value] of Object.entries(values)) {
      if (filled.includes(name)) filled = filled.replaceAll(name, value)
      const encoded = encodeURIComponent(name)
      if (filled.includes(encoded)) filled = filled.replaceAll(encoded, () => encodeURIComponent(value()))
    }
    return filled
  }
}

let sampleImages: Promise<Record<string, () => string>> | undefined

async function createSampleImages(): Promise<Record<string, () => string>> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const image = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#888', noise } })
  const jpeg = await image(64, 48).jpeg().toBuffer()
  const files: Record<string, Buffer> = {
    '«photo»': jpeg,
    '«png»': await image(30, 40).png().toBuffer(),
    '«cut photo»': jpeg.subarray(0, Math.floor(jpeg.length / 2)),
    '«cut png»': (await image(1_600, 1_200).png().toBuffer()).subarray(0, -1_000),
    '«large photo»': await image(1_600, 1_200).jpeg().toBuffer(),
    '«bomb»': await sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: '#fff' } })
      .png()
      .toBuffer(),
    '«svg»': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  }
  const dataUrl = (bytes: Buffer) => `data:image/jpeg;base64,${bytes.toString('base64')}`
  return {
    ...Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, () => dataUrl(bytes)])),
    // A new upload each time; the others are sent repeatedly.
    '«new photo»': () => dataUrl(Buffer.concat([jpeg, Buffer.from(String((namesSoFar += 1)))])),
  }
}
