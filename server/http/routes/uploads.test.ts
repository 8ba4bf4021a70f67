import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { beforeAll, expect, test } from 'vitest'
import type { SucceededImage } from '../../../shared/images.ts'
import { thumbnailSizes, thumbnailUrl } from '../../../shared/image-files.ts'
import { shareTestServer, type TestUser } from '../../../test/support/test-server.ts'

const server = shareTestServer()
let asha: TestUser
let image: SucceededImage
beforeAll(async () => {
  asha = await server().signUp()
  image = await asha.generate('A lotus')
  await asha.trpc.posts.create.mutate({ prompt: 'A lotus', imageId: image.id })
  await writeFile(path.join(server().directory, 'secret.jpg'), 'secret')
  await writeFile(path.join(server().directory, 'uploads/original.jpg'), 'secret')
})

const folderOf = ({ photo }: SucceededImage) => photo.split('/')[2] ?? ''

/** Requests a raw path that browsers would normalize. */
async function requestRaw(target: string): Promise<string> {
  const socket = connect(Number(new URL(server().url).port), '127.0.0.1')
  socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  return readText(socket)
}

test.each(['jpeg', ...thumbnailSizes])('a stored image (%s) is immutable and sandboxed', async (file) => {
  const isOriginal = file === 'jpeg'
  const address = isOriginal
    ? image.photo
    : thumbnailUrl(image.photo, file as (typeof thumbnailSizes)[number])
  const response = await server().request(address)
  const bytes = Buffer.from(await response.arrayBuffer())
  const headers = {
    'content-type': isOriginal ? 'image/jpeg' : 'image/webp',
    'content-length': String(bytes.length),
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  }
  expect(Object.fromEntries(response.headers)).toMatchObject(headers)
  expect(await sharp(bytes).metadata()).toMatchObject(
    isOriginal ? { format: 'jpeg' } : { format: 'webp', width: file, height: file },
  )
  const head = await server().request(address, { method: 'HEAD' })
  expect(Object.fromEntries(head.headers)).toMatchObject(headers)
  expect([head.status, await head.text()]).toEqual([200, ''])
})

test('a stored image has an unguessable name, and is served after clients disconnected half-way', async () => {
  expect(folderOf(image)).toMatch(/^[A-Za-z0-9_-]{22}$/)
  expect(folderOf(image)).not.toContain(image.id)
  for (let visit = 0; visit < 30; visit += 1) await (await server().request(image.photo)).body?.cancel()
  expect((await server().request(image.photo)).status).toBe(200)
})

test('responds 404 to any other path below the folder of images', async () => {
  const paths = String.raw`
    /uploads/ /uploads/FOLDER /uploads/FOLDER/ /uploads/FOLDER/absent.jpg /uploads/FOLDER/original.jpg/
    /uploads/FOLDER/original.JPG /uploads/FOLDER/..%2foriginal.jpg /uploads/FOLDER/%2e%2e%2foriginal.jpg
    /uploads/FOLDER/%252e%252e%252foriginal.jpg /uploads/FOLDER/original.jpg%00.webp /uploads/FOLDER/%00
    /uploads/FOLDER/%ff /uploads/FOLDER/% /uploads/FOLDER/original.jpg%20 //uploads/FOLDER/original.jpg
    /uploads/%2e%2e/secret.jpg /uploads/..%2fsecret.jpg /uploads/..%5csecret.jpg /uploads\..\secret.jpg
    /uploads/%2fetc/passwd /uploads/%2fetc%2fpasswd/x /uploads/.%2f/original.jpg /uploads/%2e/original.jpg
    /uploads//original.jpg /uploads/xxxxxxxxxxxxxxxxxxxxxx/original.jpg /uploads/../secret.jpg
    /uploads/../uploads/original.jpg /uploads/../../../../etc/passwd`
  for (const target of [...paths.trim().split(/\s+/), `/uploads/${'x'.repeat(6_000)}/original.jpg`]) {
    const answer = await requestRaw(target.replace('FOLDER', folderOf(image)))
    expect([target, answer.slice(0, 12)]).toEqual([target, expect.stringMatching(/^HTTP\/1\.1 40[04]/)])
    expect(answer).not.toMatch(/secret|ENOENT|ENAMETOOLONG|node:|\/tmp\//)
  }
})

test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('responds 404 to %s', async (method) => {
  expect((await server().request(image.photo, { method })).status).toBe(404)
  expect((await server().request(image.photo)).status).toBe(200)
})

test('responds 404 for a missing file, while its post is still listed', async () => {
  const lost = await asha.generate('Lost')
  const { id } = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'Lost', imageId: lost.id })
  await server().services.blobs.remove(folderOf(lost))
  expect((await server().request(lost.photo)).status).toBe(404)
  expect((await server().request('/')).status).toBe(200)
  expect((await asha.trpc.posts.list.query()).posts[0]).toMatchObject({ id })
})
