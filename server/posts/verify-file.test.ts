import { readdir } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { uploadMaxBytes } from '../../shared/limits.ts'
import { noisyImage } from '../../test/support/images.ts'
import { images } from '../../test/support/openai/images.ts'
import { respondImage } from '../../test/support/openai/provider-responses.ts'
import { startWithProvider } from '../../test/support/provider.ts'
import { shareTestServer, startTestServer } from '../../test/support/test-server.ts'
import { withPngChunk } from '../formats/image-files.ts'

const server = shareTestServer()

const blob = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)])

/** An image with contrast, and a smaller copy in another format. */
async function photoWithCopy() {
  const blocks = await noisyImage(9, 8).png().toBuffer()
  const photo = await sharp(blocks).resize(450, 400, { kernel: 'nearest' }).png().toBuffer()
  return { photo, copy: await sharp(photo).resize(300).webp({ quality: 70 }).toBuffer() }
}

test('tells everyone which public image a file is or looks like, and its owner of private ones', async () => {
  const [asha, eve] = [await server().signUp(), await server().signUp()]
  const visitor = server().client()
  const { photo, copy } = await photoWithCopy()
  const { id: imageId, photo: address } = await asha.trpc.images.upload.mutate(blob(photo))
  const stored = Buffer.from(
    await (await server().request(address ?? '', { headers: { cookie: asha.cookie } })).arrayBuffer(),
  )
  const unknown = { match: null, marks: null }
  for (const file of [photo, stored, copy]) {
    for (const { posts } of [visitor, eve.trpc])
      expect(await posts.verify.mutate(blob(file))).toEqual(unknown)
    expect(await asha.trpc.posts.verify.mutate(blob(file))).toMatchObject({
      match: { isOwn: true, isExact: file === stored, post: null },
    })
  }
  const { id } = await asha.trpc.posts.create.mutate({ prompt: 'Blocks', imageId, visibility: 'unlisted' })
  expect(await visitor.posts.verify.mutate(blob(stored))).toEqual(unknown)
  await asha.trpc.posts.update.mutate({ id, visibility: 'public' })
  for (const file of [stored, copy])
    expect(await visitor.posts.verify.mutate(blob(file))).toMatchObject({
      match: { isOwn: false, isExact: file === stored, source: 'uploaded', isAiMade: null, post: { id } },
    })
  await asha.trpc.images.delete.mutate({ id: imageId })
  expect(await visitor.posts.verify.mutate(blob(stored))).toEqual(unknown)
})

test('recognizes a download, and the file with Content Credentials', async () => {
  const signed = withPngChunk(images.png, 'caBX', Buffer.from('signed'))
  const { server: site } = await startWithProvider(respondImage(signed))
  const asha = await site.signUp()
  const { id: imageId } = await asha.generate('A heron')
  const { id } = await asha.trpc.posts.create.mutate({ prompt: 'A heron', imageId })
  const download = Buffer.from(await (await site.request(`/api/posts/${id}/download`)).arrayBuffer())
  const marksOf = { sourceType: 'trainedAlgorithmicMedia', generator: 'Rangoli', hasCredentials: false }
  for (const [file, marks] of [
    [download, marksOf],
    [signed, { sourceType: null, generator: null, hasCredentials: true }],
  ] as const)
    expect(await site.client().posts.verify.mutate(blob(file))).toMatchObject({
      match: { isExact: true, source: 'generated', isAiMade: true, post: { id } },
      marks,
    })
})

test('stores nothing, and rejects other files and too many', async () => {
  const own = await startTestServer()
  const { verify } = own.client().posts
  const photo = await noisyImage(1_200, 900).png().toBuffer()
  expect(photo.length).toBeGreaterThan(1024 * 1024)
  expect(await verify.mutate(blob(photo))).toEqual({ match: null, marks: null })
  const rejected = (httpStatus: number) => ({ data: { httpStatus } })
  await expect(verify.mutate(blob(Buffer.from('<svg/>')))).rejects.toMatchObject(rejected(400))
  await expect(verify.mutate(blob(Buffer.alloc(uploadMaxBytes + 1)))).rejects.toMatchObject(rejected(413))
  for (let call = 0; call < 17; call += 1) await verify.mutate(blob(images.png))
  await expect(verify.mutate(blob(images.png))).rejects.toMatchObject(rejected(429))
  for (const spelling of ['/trpc/posts.verify/', '/trpc//posts.verify', '/trpc/posts%2Everify']) {
    const headers = { 'content-type': 'application/octet-stream' }
    const response = await own.request(spelling, {
      method: 'POST',
      headers,
      body: new Uint8Array(images.png),
    })
    expect([spelling, response.status]).toEqual([spelling, 429])
  }
  expect(await own.services.db.selectFrom('images').select('id').execute()).toEqual([])
  expect(
    (await readdir(path.join(own.directory, 'uploads'))).filter((name) => !name.startsWith('.')),
  ).toEqual([])
})
