import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { expect, inject, test } from 'vitest'
import { thumbnailUrl } from '../../shared/image-files.ts'
import { runCommand } from '../../test/support/command.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { withWebpChunk } from '../../test/support/images.ts'
import { images, jumbfSegment, withSegments } from '../../test/support/openai/images.ts'
import { respondImage } from '../../test/support/openai/provider-responses.ts'
import { startWithProvider } from '../../test/support/provider.ts'
import { startTestServer } from '../../test/support/test-server.ts'
import { follow } from '../../test/support/trpc-client.ts'
import { contentCredentials, readXmp, withPngChunk } from '../formats/image-files.ts'

const signedPng = withPngChunk(images.png, 'caBX', Buffer.from('signed by the provider'))
const signedWebp = withWebpChunk(images.webp, 'C2PA', Buffer.from('signed by the provider!'))

/** A site whose provider delivers files, and a user of it. */
async function start(...files: readonly Buffer[]) {
  const { server } = await startWithProvider(files.map((file) => respondImage(file)))
  const asha = await server.signUp()
  const bytesAt = async (address: string | null, user?: typeof asha) => {
    const response = await server.request(address ?? '', { headers: server.headersOf(user) })
    return response.ok ? Buffer.from(await response.arrayBuffer()) : response.status
  }
  return { server, asha, bytesAt }
}

test.each([
  ['PNG', 'png', signedPng],
  ['WebP', 'webp', signedWebp],
])('keeps a %s with Content Credentials byte for byte beside the JPEG', async (_, extension, file) => {
  const { server, asha, bytesAt } = await start(file)
  const image = await asha.generate('A heron')
  expect(image).toMatchObject({ isAiMade: true, credentialsUrl: expect.stringMatching(`\\.${extension}$`) })
  expect(await bytesAt(image.credentialsUrl, asha)).toEqual(file)
  expect(await bytesAt(image.credentialsUrl)).toBe(404)
  const { id, photo } = await asha.trpc.posts.create.mutate({ prompt: 'A heron', imageId: image.id })
  const post = await server.client().posts.get.query({ id })
  expect(post).toMatchObject({ credentialsUrl: image.credentialsUrl, isAiMade: true, original: null })
  const response = await server.request(post.credentialsUrl ?? '')
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': `image/${extension}`,
    'x-content-type-options': 'nosniff',
    'cache-control': expect.stringContaining('immutable'),
  })
  expect(Buffer.from(await response.arrayBuffer())).toEqual(file)
  for (const address of [photo, thumbnailUrl(photo, 320)])
    expect((await sharp((await bytesAt(address)) as Buffer).metadata()).xmpAsString).toContain(
      'digitalsourcetype/trainedAlgorithmicMedia',
    )
})

test('keeps the file from visitors of a post with another prompt, and is found if it is uploaded', async () => {
  const { asha, bytesAt } = await start(signedPng)
  const image = await asha.generate('A heron')
  const post = await asha.trpc.posts.create.mutate({ prompt: 'A bird', imageId: image.id })
  expect(post).toMatchObject({ credentialsUrl: null })
  expect(await bytesAt(image.credentialsUrl)).toBe(404)
  expect(await bytesAt(image.credentialsUrl, asha)).toEqual(signedPng)
  const uploaded = await asha.trpc.images.upload.mutate(new Blob([new Uint8Array(signedPng)]))
  expect(uploaded.id).toBe(image.id)
})

test('names no other file for a signed JPEG, an unsigned PNG, and a pattern', async () => {
  const { asha } = await start(images.signed, images.png)
  for (const prompt of ['A heron', 'A crane'])
    expect(await asha.generate(prompt)).toMatchObject({ credentialsUrl: null, isAiMade: true })
  const other = await (await startTestServer()).signUp()
  expect(await other.generate('A lotus')).toMatchObject({ credentialsUrl: null, isAiMade: false })
})

test('shows the file to those who may see the image, and to its author only while the prompt is hidden', async () => {
  const { server, asha, bytesAt } = await start(signedPng)
  const { id: imageId, credentialsUrl } = await asha.generate('A heron')
  const { posts, images: ownImages } = asha.trpc
  const { id } = await posts.create.mutate({ prompt: 'A heron', imageId, hidePrompt: true })
  const isShown = async () => [
    await bytesAt(credentialsUrl).then((bytes) => bytes instanceof Buffer),
    await bytesAt(credentialsUrl, asha).then((bytes) => bytes instanceof Buffer),
  ]
  expect(await isShown()).toEqual([false, true])
  expect((await server.client().posts.get.query({ id })).credentialsUrl).toBeNull()
  expect((await posts.get.query({ id })).credentialsUrl).toBe(credentialsUrl)
  await posts.update.mutate({ id, hidePrompt: false })
  expect(await isShown()).toEqual([true, true])
  await posts.update.mutate({ id, visibility: 'private' })
  expect(await isShown()).toEqual([false, true])
  await ownImages.delete.mutate({ id: imageId })
  expect(await isShown()).toEqual([false, true])
  await ownImages.emptyTrash.mutate()
  await expect.poll(isShown).toEqual([false, false])
})

test('stores an image as the site signed it, and as it is if that fails; copies only have the mark', async () => {
  const site = await startTestServer({
    async sign(jpeg, producer, origin) {
      if (origin.remixOf === null) throw new Error('The signer failed.')
      const text = JSON.stringify({ kind: producer.kind, ...origin })
      return withSegments(Buffer.from(jpeg), jumbfSegment('c2pa', text))
    },
  })
  const asha = await site.signUp()
  const bytesAt = async (address: string) => {
    const response = await site.request(address, { headers: site.headersOf(asha) })
    return Buffer.from(await response.arrayBuffer())
  }
  const unsigned = await asha.generate('A lotus')
  const first = await bytesAt(unsigned.photo ?? '')
  expect(readXmp(first)).toContain('algorithmicMedia')
  expect(contentCredentials(first)).toBeNull()
  expect(site.lines.join()).toContain('a generated image could not be signed')
  const remixOf = async (visibility: 'public' | 'unlisted') => {
    const { id } = await asha.trpc.posts.create.mutate({
      prompt: `A lotus for ${visibility}`,
      imageId: unsigned.id,
      visibility,
    })
    const image = await follow(asha.trpc, { prompt: 'A red lotus', remixOf: id }).ended
    return { id, image, file: await bytesAt(image.photo ?? '') }
  }
  const { id, image, file } = await remixOf('public')
  expect(contentCredentials(file)?.toString()).toContain(`"kind":"rangoli","references":0,"remixOf":"${id}"`)
  // The address of an unlisted post is for those who have it.
  expect(contentCredentials((await remixOf('unlisted')).file)).toBeNull()
  expect(await bytesAt(`/api/images/${image.id}/download`)).toEqual(file)
  const thumbnail = await bytesAt(thumbnailUrl(image.photo ?? '', 320))
  expect(contentCredentials(thumbnail)).toBeNull()
  expect((await sharp(thumbnail).metadata()).xmpAsString).toContain('algorithmicMedia')
})

// Backups are for SQLite.
test.runIf(inject('postgresUrl') === undefined)(
  'is copied to a backup, restored from it, and verified',
  async () => {
    const { server, asha } = await start(signedPng)
    const { credentialsUrl } = await asha.generate('A heron')
    const backups = path.join(await tempFolder(), 'backups')
    expect((await runCommand(server.directory, ['backup', backups])).error).toBeNull()
    const folder = await tempFolder()
    expect((await runCommand(folder, ['restore', backups])).error).toBeNull()
    const verify = async () => (await runCommand(folder, ['verify'])).printed[0]
    expect(await verify()).toBe('No issues found.')
    const restored = await startTestServer({ folder })
    const response = await restored.request(credentialsUrl ?? '', { headers: { cookie: asha.cookie } })
    expect(Buffer.from(await response.arrayBuffer())).toEqual(signedPng)
    await writeFile(path.join(folder, credentialsUrl ?? ''), 'damaged')
    expect(await verify()).toMatch(/^The file credentials-[0-9a-f]{64}\.png of the image .* is damaged\.$/)
  },
)
