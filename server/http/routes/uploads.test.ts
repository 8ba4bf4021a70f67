import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import type { SucceededImage } from '../../../shared/images.ts'
import { thumbnailSizes, thumbnailUrl } from '../../../shared/image-files.ts'
import { shareTestServer, startTestServer } from '../../../test/support/test-server.ts'

const server = shareTestServer()
let image: SucceededImage
beforeAll(async () => {
  const asha = await server().signUp()
  image = await asha.generate('A lotus')
  await asha.trpc.posts.create.mutate({ prompt: 'A lotus', imageId: image.id })
  await writeFile(path.join(server().directory, 'secret.jpg'), 'secret')
  await writeFile(path.join(server().directory, 'uploads/original.jpg'), 'secret')
})

/** Requests a raw path that browsers would normalize; returns the status line and the rest. */
async function requestRaw(target: string): Promise<string> {
  const socket = connect(Number(new URL(server().url).port), '127.0.0.1')
  socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  return readText(socket)
}

describe('a stored image', () => {
  test('is immutable and sandboxed', async () => {
    const response = await server().request(image.photo)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(response.headers.get('content-length')).toBe(String(bytes.length))
    expect((await sharp(bytes).metadata()).format).toBe('jpeg')
  })

  test.each(thumbnailSizes)('has a thumbnail of %i pixels', async (size) => {
    const response = await server().request(thumbnailUrl(image.photo, size))
    expect(response.headers.get('content-type')).toBe('image/webp')
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await sharp(await response.arrayBuffer()).metadata()).toMatchObject({
      format: 'webp',
      width: size,
      height: size,
    })
  })

  test('responds to HEAD without a body', async () => {
    const [head, get] = [
      await server().request(image.photo, { method: 'HEAD' }),
      await server().request(image.photo),
    ]
    expect(head.status).toBe(200)
    for (const name of ['content-type', 'content-length', 'cache-control']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    }
    expect((await head.arrayBuffer()).byteLength).toBe(0)
  })

  test('has an unguessable name', async () => {
    const folder = image.photo.split('/')[2] ?? ''
    expect(folder).toMatch(/^[A-Za-z0-9_-]{22}$/)
    expect(folder).not.toContain(image.id)
  })

  test('is still served after clients have disconnected half-way', async () => {
    for (let visit = 0; visit < 30; visit += 1) await (await server().request(image.photo)).body?.cancel()
    expect((await server().request(image.photo)).status).toBe(200)
  })
})

describe('responds 404 to', () => {
  const folder = () => image.photo.split('/')[2] ?? ''
  test.each([
    '/uploads/',
    '/uploads/FOLDER',
    '/uploads/FOLDER/',
    '/uploads/FOLDER/absent.jpg',
    '/uploads/FOLDER/original.jpg/',
    '/uploads/FOLDER/original.JPG',
    '/uploads/FOLDER/..%2foriginal.jpg',
    '/uploads/FOLDER/%2e%2e%2foriginal.jpg',
    '/uploads/FOLDER/%252e%252e%252foriginal.jpg',
    '/uploads/FOLDER/original.jpg%00.webp',
    '/uploads/FOLDER/%00',
    '/uploads/FOLDER/%ff',
    '/uploads/FOLDER/%',
    '/uploads/FOLDER/original.jpg%20',
    '/uploads/%2e%2e/secret.jpg',
    '/uploads/..%2fsecret.jpg',
    '/uploads/..%5csecret.jpg',
    '/uploads/%2fetc/passwd',
    '/uploads/%2fetc%2fpasswd/x',
    '/uploads/.%2f/original.jpg',
    '/uploads/%2e/original.jpg',
    '/uploads//original.jpg',
    '/uploads/xxxxxxxxxxxxxxxxxxxxxx/original.jpg',
    `/uploads/${'x'.repeat(6_000)}/original.jpg`,
    '/uploads/../secret.jpg',
    '/uploads/../uploads/original.jpg',
    '/uploads/../../../../etc/passwd',
    '/uploads\\..\\secret.jpg',
    '//uploads/FOLDER/original.jpg',
  ])('%s', async (address) => {
    const answer = await requestRaw(address.replace('FOLDER', folder()))
    expect(answer).toMatch(/^HTTP\/1\.1 (404|400) /)
    expect(answer).not.toContain('secret')
    expect(answer).not.toMatch(/ENOENT|ENAMETOOLONG|node:|\/tmp\//)
  })

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s', async (method) => {
    expect((await server().request(image.photo, { method })).status).toBe(404)
    expect((await server().request(image.photo)).status).toBe(200)
  })
})

test('responds 404 for a missing file, while its post is still listed', async () => {
  const own = await startTestServer()
  const asha = await own.signUp()
  const { id, photo } = await asha.generate('Lost')
  await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'Lost', imageId: id })
  await own.services.blobs.remove(photo.split('/')[2] ?? '')
  expect((await own.request(photo)).status).toBe(404)
  expect((await own.request('/')).status).toBe(200)
  expect((await asha.trpc.posts.list.query()).total).toBe(1)
})
