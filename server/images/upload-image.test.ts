import { expect, test } from 'vitest'
import { noisyImage } from '../../test/support/images.ts'
import { shareTestServer, startTestServer } from '../../test/support/test-server.ts'
import { uploadMaxBytes } from '../../shared/limits.ts'

const server = shareTestServer()

const photo = () => noisyImage().jpeg().toBuffer()

/** Creates a form with one file. */
function formOf(bytes: Uint8Array<ArrayBuffer>, field = 'file'): FormData {
  const form = new FormData()
  form.set(field, new Blob([bytes], { type: 'image/jpeg' }), 'photo.jpg')
  return form
}

test.each(['form', 'bytes'] as const)('stores an upload sent as %s, which can be shared', async (format) => {
  const asha = await server().signUp()
  const bytes = new Uint8Array(await photo())
  const image = await asha.trpc.images.upload.mutate(format === 'form' ? formOf(bytes) : new Blob([bytes]))
  expect(image).toMatchObject({ state: 'succeeded', prompt: '', engine: '', width: 200, height: 150 })
  expect((await server().request(image.photo ?? '', { headers: server().headersOf(asha) })).status).toBe(200)
  expect(await asha.trpc.images.get.query({ id: image.id })).toEqual(image)
  const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'A photo', imageId: image.id })
  expect(post).toMatchObject({ photo: image.photo, source: 'uploaded' })
})

test('returns the existing image for the same bytes, without consuming quota', async () => {
  const own = await startTestServer({ env: { DAILY_UPLOAD_LIMIT: '1' } })
  const asha = await own.signUp()
  const bytes = new Uint8Array(await photo())
  const image = await asha.trpc.images.upload.mutate(formOf(bytes))
  expect(await asha.trpc.images.upload.mutate(formOf(bytes))).toEqual(image)
  await expect(asha.trpc.images.upload.mutate(formOf(new Uint8Array(await photo())))).rejects.toMatchObject({
    data: { reason: 'upload_limit', httpStatus: 429 },
  })
})

test('responds 404 to other users', async () => {
  const [asha, eve] = [await server().signUp(), await server().signUp()]
  const { id } = await asha.trpc.images.upload.mutate(formOf(new Uint8Array(await photo())))
  const notFound = { data: { httpStatus: 404 } }
  await expect(eve.trpc.images.get.query({ id })).rejects.toMatchObject(notFound)
  await expect(eve.trpc.images.delete.mutate({ id })).rejects.toMatchObject(notFound)
})

test('rejects uploads that are not images, too large, or malformed forms', async () => {
  const asha = await server().signUp()
  const upload = (body: FormData | Blob) => asha.trpc.images.upload.mutate(body)
  const rejected = (httpStatus: number) => ({ data: { httpStatus } })
  await expect(upload(new Blob(['<svg/>']))).rejects.toMatchObject(rejected(400))
  await expect(upload(formOf(new Uint8Array(8), 'photo'))).rejects.toMatchObject(rejected(400))
  await expect(upload(new Blob([new Uint8Array(uploadMaxBytes + 1)]))).rejects.toMatchObject(rejected(413))
  for (const [type, body] of [
    ['multipart/form-data; boundary=x', 'not a form'],
    ['multipart/form-data', 'no boundary'],
    ['application/json', '{"file":"x"}'],
  ] as const) {
    const headers = { ...server().headersOf(asha), 'content-type': type }
    const response = await server().request('/trpc/images.upload', { method: 'POST', headers, body })
    expect([type, response.status]).toEqual([type, 400])
  }
})

test('rejects a large upload of a visitor before reading it', async () => {
  const body = new Blob([new Uint8Array(2 * 1024 * 1024)])
  const headers = { 'content-type': 'application/octet-stream', origin: server().url }
  const response = await server().request('/trpc/images.upload', { method: 'POST', headers, body })
  expect(response.status).toBe(401)
})
