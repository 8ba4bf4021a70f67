import path from 'node:path'
import { expect, test } from 'vitest'
import { openDatabaseFile } from '../../server/db/open-database.ts'
import { transports } from '../support/transports.ts'
import { plainJpeg } from '../support/engine.ts'
import { createScriptedEngine } from '../support/generations.ts'
import { startTestServer } from '../support/test-server.ts'
import { dataUrl } from '../support/images.ts'
import { freezingDisk } from './disks.ts'

const databaseFiles = ['rangoli.db', 'rangoli.db-wal']
const notNow = "This site can't read or save anything right now. Try again in a moment."

test.each(transports)(
  'rejects writes to a database that becomes read-only, keeps reading, and recovers, through $name',
  async (transport) => {
    const disk = await freezingDisk()
    const { engine, jobs } = createScriptedEngine()
    const lines: string[] = []
    const server = await startTestServer({
      engine,
      env: {
        DATABASE_URL: `file:${path.join(disk.folder, 'rangoli.db')}`,
        UPLOADS_DIR: path.join(disk.folder, 'uploads'),
      },
      logTo: { write: (line) => void lines.push(line) },
    })
    const asha = await server.signUp()
    const photo = dataUrl(await plainJpeg('a photo'))
    expect(await transport.share(server, { prompt: 'Before', photo }, asha)).toMatchObject({ error: null })
    const { posts } = await asha.trpc.posts.list.query()

    disk.freeze(databaseFiles)
    const again = { prompt: 'While read-only', imageId: undefined, photo }
    const generated = await transport.generate(server, { prompt: 'A lotus' }, asha)
    expect(generated).toEqual({ status: 503, error: notNow, retryAfter: 30 })
    expect((await transport.share(server, again, asha)).status).toBeOneOf([503, 507])
    await expect(asha.trpc.posts.delete.mutate({ id: posts[0]?.id ?? '' })).rejects.toMatchObject({
      data: { httpStatus: 503, reason: 'storage_unavailable', retryAfter: 30 },
    })
    expect(jobs).toEqual([])
    expect(lines.join('')).toContain('disk I/O error')
    expect((await transport.list(server, {})).posts).toMatchObject([{ prompt: 'Before' }])
    expect((await server.request('/')).status).toBe(200)
    expect((await server.request(posts[0]?.photo ?? '')).status).toBe(200)

    disk.thaw(databaseFiles)
    expect(await transport.share(server, again, asha)).toMatchObject({ error: null })
    expect((await transport.list(server, {})).posts).toHaveLength(2)
  },
)

test('does not open a database that cannot be written', async () => {
  const disk = await freezingDisk()
  const file = path.join(disk.folder, 'rangoli.db')
  await (await openDatabaseFile(file)).destroy()
  disk.freeze(['rangoli.db'])
  await expect(openDatabaseFile(file)).rejects.toThrow(
    /^DATABASE_URL: the database .* can't be opened \(.+\)\.$/,
  )
  disk.thaw(['rangoli.db'])
  await (await openDatabaseFile(file)).destroy()
})
