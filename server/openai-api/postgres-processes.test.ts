import { expect, test } from 'vitest'
import { plainJpeg } from '../../test/support/engine.ts'
import { tempFolder } from '../../test/support/folder.ts'
import { createScriptedEngine, eventually } from '../../test/support/generations.ts'
import { openAiClient, signUpProgram } from '../../test/support/openai-api/client.ts'
import { startTestServer } from '../../test/support/test-server.ts'

/** Starts a process that serves requests, and another one that runs generations. */
async function startSite() {
  const folder = await tempFolder()
  const { engine } = createScriptedEngine()
  const web = await startTestServer({ folder, engine, env: { ROLE: 'web' } })
  const scripted = createScriptedEngine()
  await startTestServer({ folder, engine: scripted.engine, env: { ROLE: 'worker' } })
  return { folder, web, waitForJob: scripted.waitForJob, ...(await signUpProgram(web)) }
}

test('streams the previews and the image of another process', async () => {
  const { client, waitForJob } = await startSite()
  const format = { output_format: 'jpeg', partial_images: 1 } as const
  const stream = await client.images.generate({ prompt: 'A lotus', stream: true, ...format })
  const events = stream[Symbol.asyncIterator]()
  const job = await waitForJob('A lotus')
  const preview = await plainJpeg('a preview')
  job.preview(preview)
  expect((await events.next()).value).toMatchObject({
    type: 'image_generation.partial_image',
    b64_json: preview.toString('base64'),
  })
  await job.finish()
  expect((await events.next()).value).toMatchObject({ type: 'image_generation.completed', size: '64x48' })
})

test('a retry at another process returns the image', async () => {
  const { folder, web, client, key, user, waitForJob } = await startSite()
  const headers = { 'Idempotency-Key': 'order-1' }
  const lost = client.images.generate({ prompt: 'A boat' }, { headers })
  const job = await waitForJob('A boat')
  await Promise.all([expect(lost).rejects.toThrow(), web.stop()])
  const { engine } = createScriptedEngine()
  const other = await startTestServer({ folder, engine, env: { ROLE: 'web' } })
  const again = openAiClient(other, key).images.generate({ prompt: 'A boat' }, { headers })
  await eventually(() => other.services.generations.watchers).toBeGreaterThan(0)
  await job.finish()
  expect((await again).data).toHaveLength(1)
  const headersOfUser = other.headersOf({ cookie: user.cookie })
  expect((await other.client(headersOfUser).images.list.query()).images).toHaveLength(1)
})
