import { readdir, rm } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { fitUrl, thumbnailFile, thumbnailSizes, thumbnailUrl } from '../../shared/image-files.ts'
import { startTestServer } from '../../test/support/test-server.ts'
import { dataUrl, noisyImage } from '../../test/support/images.ts'

/** Starts a server with an image whose thumbnails are missing. */
async function startWithoutThumbnails(kind: 'generated' | 'uploaded') {
  const server = await startTestServer()
  const asha = await server.signUp()
  const source =
    kind === 'generated'
      ? { imageId: (await asha.generate('A lotus')).id }
      : { photo: dataUrl(await noisyImage().jpeg().toBuffer()) }
  const { photo } = await asha.trpc.posts.create.mutate({ prompt: 'p', ...source })
  const folder = path.join(server.directory, path.dirname(photo))
  for (const size of thumbnailSizes) await rm(path.join(folder, thumbnailFile(size)))
  return { server, asha, photo, folder }
}

describe.each(['generated', 'uploaded'] as const)('a missing thumbnail of an image that was %s', (kind) => {
  test('is created once for simultaneous requests, and stored', async () => {
    const { server, photo, folder } = await startWithoutThumbnails(kind)
    for (const size of thumbnailSizes) {
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => server.request(thumbnailUrl(photo, size))),
      )
      const bodies = await Promise.all(
        responses.map(async (response) => Buffer.from(await response.arrayBuffer())),
      )
      expect(responses.map(({ status }) => status)).toEqual(Array<number>(8).fill(200))
      expect(responses[0]?.headers.get('content-type')).toBe('image/webp')
      expect(new Set(bodies.map((body) => body.toString('base64'))).size).toBe(1)
      expect(await sharp(bodies[0]).metadata()).toMatchObject({ format: 'webp', width: size, height: size })
      const again = await server.request(thumbnailUrl(photo, size))
      expect(Buffer.from(await again.arrayBuffer())).toEqual(bodies[0])
    }
    expect(new Set(await readdir(folder))).toEqual(
      new Set(['320.webp', '480.webp', '640.webp', 'original.jpg']),
    )
  })
})

test('creates uncropped copies on the first request, none larger than the original', async () => {
  const server = await startTestServer()
  const asha = await server.signUp()
  const wide = await noisyImage(900, 300).jpeg().toBuffer()
  const { photo } = await asha.trpc.posts.create.mutate({ prompt: 'p', photo: dataUrl(wide) })
  const folder = path.join(server.directory, path.dirname(photo))
  expect(await readdir(folder)).toHaveLength(4)
  const request = async (size: 640 | 1280) => {
    const response = await server.request(fitUrl(photo, size))
    expect(response.headers.get('content-type')).toBe('image/webp')
    const { format, width, height } = await sharp(await response.arrayBuffer()).metadata()
    return { format, width, height }
  }
  expect(await request(640)).toEqual({ format: 'webp', width: 640, height: 213 })
  expect(await request(1280)).toEqual({ format: 'webp', width: 900, height: 300 })
  expect(await readdir(folder)).toEqual(expect.arrayContaining(['fit-640.webp', 'fit-1280.webp']))
})

test("names the image's engine in the metadata of a created thumbnail", async () => {
  const { server, photo } = await startWithoutThumbnails('generated')
  const thumbnail = await server.request(thumbnailUrl(photo, 320))
  const { xmpAsString } = await sharp(await thumbnail.arrayBuffer()).metadata()
  expect(xmpAsString).toContain('algorithmicMedia')
})

test('creates no thumbnail of a deleted image or of an unknown size', async () => {
  const { server, asha, photo } = await startWithoutThumbnails('generated')
  const folder = path.dirname(photo)
  for (const file of ['960.webp', 'fit-320.webp', 'fit-.webp'])
    expect((await server.request(`${folder}/${file}`)).status).toBe(404)
  const { images } = await asha.trpc.images.list.query()
  await asha.trpc.images.delete.mutate({ id: images[0]?.id ?? '' })
  expect((await server.request(`${folder}/320.webp`)).status).toBe(404)
  expect((await server.request(`/uploads/${'A'.repeat(22)}/320.webp`)).status).toBe(404)
})
