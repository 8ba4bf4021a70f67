import { rename, stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { databaseFileOf } from '../../../test/support/site.ts'
import { fillGallery, numberedPosts } from '../../../test/support/posts.ts'
import { startTestServer, type TestServer } from '../../../test/support/test-server.ts'

const token = 'the-token-of-the-metrics'
const env = { METRICS_TOKEN: token }
const asMonitor = { headers: { authorization: `Bearer ${token}` } }

async function scrape(server: TestServer): Promise<string> {
  const response = await server.request('/metrics', asMonitor)
  expect(response.status).toBe(200)
  return response.text()
}

/** The value of the line that begins with `name`, if there is one. */
async function figure(server: TestServer, name: string): Promise<number | undefined> {
  const line = (await scrape(server)).split('\n').find((text) => text.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

test('metrics include the write-ahead log, and omit a value that cannot be read', async () => {
  const server = await startTestServer({ env })
  await fillGallery(server, numberedPosts(3))
  const databaseFile = databaseFileOf(server)
  expect(await figure(server, 'rangoli_database_bytes')).toBeGreaterThan((await stat(databaseFile)).size)
  await rename(databaseFile, `${databaseFile}.away`)
  expect(await figure(server, 'rangoli_database_bytes')).toBeUndefined()
  expect(await figure(server, 'rangoli_posts')).toBe(3)
  await rename(`${databaseFile}.away`, databaseFile)
  expect(await figure(server, 'rangoli_database_bytes')).toBeGreaterThan(0)
})
