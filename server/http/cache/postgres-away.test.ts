import path from 'node:path'
import { expect, test } from 'vitest'
import { createPostgresDatabase } from '../../../test/support/databases.ts'
import { fillGallery, numberedPosts } from '../../../test/support/posts.ts'
import { startTestServer } from '../../../test/support/test-server.ts'

const reads = [
  '/',
  '/?q=post',
  '/create-post',
  '/trpc/posts.list',
  '/api/v1/post',
  '/api/v1/post?search=post',
]

test('public reads fail with 503 and Retry-After while PostgreSQL is away, cached or not', async () => {
  const server = await startTestServer({ env: { PUBLIC_URL: 'https://pictures.example' } })
  await fillGallery(server, numberedPosts(3))
  for (const address of reads) expect((await server.request(address)).status).toBe(200)

  // The same database as the server's.
  const database = await createPostgresDatabase(path.basename(server.directory).toLowerCase())
  await database?.drop()
  for (const address of [...reads, '/?q=another']) {
    const response = await server.request(address)
    expect([address, response.status]).toEqual([address, 503])
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.text()).not.toContain('Post 1')
  }
  expect((await server.request('/healthz')).status).toBe(200)
})
