import { mkdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { trpcTransport } from '../support/transports.ts'
import { plainJpeg } from '../support/engine.ts'
import { createScriptedEngine } from '../support/generations.ts'
import { startTestServer } from '../support/test-server.ts'
import { dataUrl } from '../support/images.ts'

const notNow = {
  status: 503,
  error: "This site can't read or save anything right now. Try again in a moment.",
  retryAfter: 30,
}

async function startWithPost() {
  const { engine, jobs, waitForJob } = createScriptedEngine()
  const server = await startTestServer({ engine })
  const asha = await server.signUp()
  const photo = dataUrl(await plainJpeg('a photo'))
  const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'Before', photo })
  const uploads = path.join(server.directory, 'uploads')
  return { server, asha, photo, post, uploads, jobs, waitForJob, log: () => server.lines.join('') }
}

test('answers 503 while the uploads folder is missing and recovers once it is back', async () => {
  const { server, asha, photo, post, uploads, jobs, log } = await startWithPost()
  await rename(uploads, `${uploads}-moved`)
  expect((await server.request(post.photo)).status).toBe(404)
  expect((await server.request('/')).status).toBe(200)
  expect((await trpcTransport.list(server, {})).posts).toMatchObject([{ prompt: 'Before' }])
  expect(await trpcTransport.share(server, { prompt: 'While away', photo }, asha)).toEqual(notNow)
  expect(await trpcTransport.generate(server, { prompt: 'A lotus' }, asha)).toEqual(notNow)
  expect(jobs).toEqual([])
  expect(log()).toContain('ENOENT')
  expect(await server.services.db.selectFrom('images').selectAll().execute()).toHaveLength(1)

  await rename(`${uploads}-moved`, uploads)
  expect((await server.request(post.photo)).status).toBe(200)
  expect(await trpcTransport.share(server, { prompt: 'After', photo }, asha)).toMatchObject({ error: null })
})

test('keeps working in a new uploads folder after the old one was deleted with its images', async () => {
  const { server, asha, photo, post, uploads } = await startWithPost()
  await rm(uploads, { recursive: true })
  expect(await server.services.sweepOrphans(Date.now())).toMatchObject({
    skippedReason: expect.stringContaining('does not belong to this database any more'),
  })
  await mkdir(uploads)
  expect((await server.request(post.photo)).status).toBe(404)
  const next = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'After', photo })
  expect((await server.request(next.photo)).status).toBe(200)
  // A post whose image is missing can be deleted.
  await asha.trpc.posts.delete.mutate({ id: post.id })
  expect((await asha.trpc.posts.list.query()).posts).toMatchObject([{ prompt: 'After' }])
})
