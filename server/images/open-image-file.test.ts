import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { fitUrl, thumbnailFile, thumbnailSizes, thumbnailUrl } from '../../shared/image-files.ts'
import { dataUrl, noisyImage } from '../../test/support/images.ts'
import { shareTestServer } from '../../test/support/test-server.ts'

const server = shareTestServer()

/** Shares an image; an upload if there is a `photo`. */
async function share(photo?: Buffer) {
  const asha = await server().signUp()
  const source = photo ? { photo: dataUrl(photo) } : { imageId: (await asha.generate('A lotus')).id }
  const post = await asha.trpc.posts.create.mutate({ prompt: 'p', ...source })
  const folder = path.join(server().directory, path.dirname(post.photo))
  return { asha, photo: post.photo, folder }
}

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

test.each(['generated', 'uploaded'])(
  'creates a missing thumbnail of an image that was %s once for simultaneous requests, and stores it',
  async (kind) => {
    const { photo, folder } = await share(
      kind === 'uploaded' ? await noisyImage().jpeg().toBuffer() : undefined,
    )
    for (const size of thumbnailSizes) {
      await rm(path.join(folder, thumbnailFile(size)))
      const address = thumbnailUrl(photo, size)
      const responses = await Promise.all(Array.from({ length: 8 }, () => server().request(address)))
      expect(responses[0]?.headers.get('content-type')).toBe('image/webp')
      const [first = Buffer.of(), ...others] = await Promise.all(responses.map(bytesOf))
      for (const other of [...others, await bytesOf(await server().request(address))])
        expect(other.equals(first)).toBe(true)
      const { format, width, height, xmpAsString = '' } = await sharp(first).metadata()
      expect({ format, width, height }).toEqual({ format: 'webp', width: size, height: size })
      expect(xmpAsString.includes('algorithmicMedia')).toBe(kind === 'generated')
    }
    expect(new Set(await readdir(folder))).toEqual(
      new Set(['320.webp', '480.webp', '640.webp', 'original.jpg']),
    )
  },
)

test('creates uncropped copies on the first request, none larger than the original', async () => {
  const { photo, folder } = await share(await noisyImage(900, 300).jpeg().toBuffer())
  expect(await readdir(folder)).toHaveLength(4)
  for (const [size, width, height] of [
    [640, 640, 213],
    [1280, 900, 300],
  ] as const) {
    const copy = await bytesOf(await server().request(fitUrl(photo, size)))
    expect(await sharp(copy).metadata()).toMatchObject({ format: 'webp', width, height })
  }
  expect(await readdir(folder)).toEqual(expect.arrayContaining(['fit-640.webp', 'fit-1280.webp']))
})

test('creates no thumbnail of an unknown size, or of an unknown or deleted image', async () => {
  const { asha, photo, folder } = await share()
  const address = path.dirname(photo)
  const { images } = await asha.trpc.images.list.query()
  await asha.trpc.images.delete.mutate({ id: images[0]?.id ?? '' })
  await asha.trpc.images.emptyTrash.mutate()
  await expect.poll(() => readdir(folder).catch(() => null)).toBeNull()
  for (const file of ['320.webp', '960.webp', 'fit-320.webp', 'fit-.webp'])
    expect((await server().request(`${address}/${file}`)).status).toBe(404)
  expect((await server().request(`/uploads/${'A'.repeat(22)}/320.webp`)).status).toBe(404)
})
