import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { imageRow } from '../../test/support/posts.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../test/support/test-server.ts'
import { EngineSecrets } from '../site/added-engines.ts'

const server = shareTestServer()
let meera: TestUser
let asha: TestUser

beforeAll(async () => {
  meera = await signUpAdministrator(server())
  asha = await server().signUp()
})

const apiKey = 'sk-only-the-provider-sees-this'
const closed = 'http://127.0.0.1:9'
const openAi = { id: 'gateway', kind: 'openai', label: 'Gateway', url: closed, apiKey, model: 'flux' }
const patterns = { id: 'more', kind: 'rangoli', label: 'More patterns', price: 0.5 }

async function stored(): Promise<string> {
  const values = server().services.db.selectFrom('site_options').select('value')
  return (await values.where('name', '=', 'addedEngines').executeTakeFirst())?.value ?? ''
}

async function removeAll(): Promise<void> {
  const { engines } = await meera.trpc.admin.engines.list.query()
  for (const { id, isAdded } of engines) if (isAdded) await meera.trpc.admin.engines.delete.mutate({ id })
}

test('an added engine generates in every process at once, until it is deleted', async () => {
  const other = await startTestServer({ folder: server().directory })
  const idsIn = async ({ client } = server()) =>
    (await client().engines.list.query()).engines.map(({ id }) => id)
  expect(await idsIn(other)).toEqual(['rangoli'])
  expect(await (await other.request('/about')).text()).toContain('"engine":"rangoli","engines":[]')
  const { id, engines } = await meera.trpc.admin.engines.create.mutate(patterns)
  expect([id, engines.map((engine) => [engine.id, engine.isAdded, engine.fixedBy])]).toEqual([
    'more',
    [
      ['rangoli', false, null],
      ['more', true, null],
    ],
  ])
  expect(await idsIn(other)).toEqual(['rangoli', 'more'])
  expect(await (await other.request('/about')).text()).toContain('{"id":"more","label":"More patterns"}')
  const { images } = await asha.trpc.images.generate.mutate({ prompt: 'A lotus', engine: 'more' })
  expect(images[0]?.recipe).toMatchObject({ engine: 'more' })
  const { modelDetails } = (await asha.trpc.engines.list.query()).engines[1] ?? {}
  expect(Object.values(modelDetails ?? {})).toMatchObject([{ price: 0.5 }])
  await meera.trpc.admin.engines.delete.mutate({ id })
  expect(await idsIn(other)).toEqual(['rangoli'])
  await expect(asha.trpc.images.generate.mutate({ prompt: 'Late', engine: 'more' })).rejects.toMatchObject({
    data: { httpStatus: 400 },
  })
})

test('secrets are encrypted, never returned, and stay until they are replaced', async () => {
  const received: (string | undefined)[] = []
  const provider = createServer((request, response) => {
    received.push(request.headers.authorization)
    response.setHeader('content-type', 'application/json').end('{"data":[{"id":"flux"}]}')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void provider.close())
  await once(provider, 'listening')
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`
  const { engines } = await meera.trpc.admin.engines.create.mutate({ ...openAi, url })
  expect(engines[1]).toMatchObject({ id: 'gateway', url, model: 'flux', secrets: ['apiKey'] })
  const { update, test: check, list } = meera.trpc.admin.engines
  const renamed = await update.mutate({ id: 'gateway', label: 'Studio', price: { default: 0.04 } })
  expect(renamed.engines[1]).toMatchObject({ label: 'Studio', price: { default: 0.04 } })
  expect(await check.mutate({ id: 'gateway' })).toEqual({ isAvailable: true, error: null })
  expect(received.at(-1)).toBe(`Bearer ${apiKey}`)
  const restarted = await startTestServer({ folder: server().directory })
  expect(await restarted.services.engines.test('gateway')).toMatchObject({ isAvailable: true })
  await expect(update.mutate({ id: 'gateway', url: closed })).rejects.toMatchObject({
    message: 'The address leads to another server. Enter the secrets of the engine again.',
    data: { httpStatus: 400 },
  })
  await update.mutate({ id: 'gateway', url: closed, apiKey: 'sk-another' })
  const { isAvailable, error } = await check.mutate({ id: 'gateway' })
  expect([isAvailable, error]).toEqual([false, expect.any(String)])
  const everything = [await stored(), JSON.stringify(await list.query()), server().lines.join('')].join()
  for (const secret of [apiKey, 'sk-another']) expect(everything).not.toContain(secret)
  await removeAll()
})

test('secrets of another site, or of another engine, cannot be read', () => {
  const entry = { id: 'a', kind: 'openai', label: 'A', apiKey } as const
  const sealed = new EngineSecrets('one site').seal(entry)
  expect(new EngineSecrets('one site').open(sealed)).toEqual(entry)
  expect(() => new EngineSecrets('another site').open(sealed)).toThrow()
  const moved = { ...sealed, settings: { ...sealed.settings, id: 'b' } }
  expect(() => new EngineSecrets('one site').open(moved)).toThrow()
})

test('an engine whose secrets cannot be read is listed, and works once they are entered again', async () => {
  await meera.trpc.admin.engines.create.mutate(openAi)
  const row = server().services.db.updateTable('site_options').where('name', '=', 'addedEngines')
  const foreign = new EngineSecrets('another site').seal({ ...openAi, kind: 'openai' })
  await row.set({ value: JSON.stringify([foreign]) }).execute()
  const { engines } = await meera.trpc.admin.engines.list.query()
  expect(engines[1]).toMatchObject({
    id: 'gateway',
    isAvailable: false,
    issue: expect.stringContaining('again'),
  })
  expect((await asha.trpc.engines.list.query()).engines).toHaveLength(1)
  await meera.trpc.admin.engines.update.mutate({ id: 'gateway', apiKey })
  expect((await asha.trpc.engines.list.query()).engines).toHaveLength(2)
  await removeAll()
})

test('an engine of a newer version is listed as not understood, and can be deleted', async () => {
  const value = JSON.stringify([{ settings: { id: 'later', kind: 'telepathy', mind: 1 }, secrets: null }])
  await server().services.db.insertInto('site_options').values({ name: 'addedEngines', value }).execute()
  const { engines } = await meera.trpc.admin.engines.list.query()
  expect(engines[1]).toMatchObject({ id: 'later', kind: null, label: 'later', isAvailable: false })
  expect(engines[1]?.issue).toContain('does not understand its entry')
  await removeAll()
  expect(await stored()).toBe('')
})

test('engines get an id, and are moved', async () => {
  const { create, update } = meera.trpc.admin.engines
  const added = ['A', 'B', 'C'].map((label) => () => create.mutate({ kind: 'rangoli', label }))
  const ids: string[] = []
  for (const add of added) ids.push((await add()).id)
  expect(ids).toEqual(['rangoli-2', 'rangoli-3', 'rangoli-4'])
  const order = async (id: string, before: string | null) =>
    (await update.mutate({ id, before })).engines.map(({ label }) => label).slice(1)
  expect(await order('rangoli-4', 'rangoli-2')).toEqual(['C', 'A', 'B'])
  expect(await order('rangoli-2', null)).toEqual(['C', 'B', 'A'])
  await removeAll()
})

test('what waits for a deleted engine fails with a refund', async () => {
  const { create, update, delete: remove } = meera.trpc.admin.engines
  await create.mutate(patterns)
  const ravi = await server().signUp('Ravi')
  const { images } = await ravi.trpc.images.generate.mutate({ prompt: 'A lotus', engine: 'more' })
  await expect
    .poll(() => ravi.trpc.images.get.query({ id: images[0]?.id ?? '' }))
    .toMatchObject({ state: 'succeeded' })
  await update.mutate({ id: 'more', isPaused: true, isDefault: true })
  const waiting = {
    owner_id: ravi.id,
    source: 'generated',
    engine: 'more',
    prompt: 'A kite',
    state: 'queued',
  } as const
  const id = '11111111-1111-4111-8111-111111111111'
  await server()
    .services.db.insertInto('images')
    .values({ ...imageRow(id), ...waiting, folder: null, finished_at: null })
    .execute()
  await remove.mutate({ id: 'more' })
  await expect
    .poll(() => ravi.trpc.images.get.query({ id }))
    .toMatchObject({ state: 'failed', failure: 'engine_misconfigured' })
  const { engines } = await create.mutate(patterns)
  expect(engines[0]?.id).toBe('rangoli')
  await removeAll()
})

describe('rejects', () => {
  test.each([
    [{ ...openAi, id: 'rangoli' }, 'id'],
    [{ ...openAi, kind: 'dall-e' }, 'kind'],
    [{ ...openAi, url: 'file:///etc/passwd' }, 'url'],
    [{ ...openAi, apiKey: { env: 'AUTH_SECRET' } }, 'apiKey'],
    [{ ...openAi, colour: 'red' }, 'colour'],
    [{ id: 'x', kind: 'comfyui', label: 'X', url: closed, workflow: '/etc/passwd' }, 'workflow'],
    [{ ...openAi, price: -1 }, 'price'],
  ])('%j', async (entry, key) => {
    await expect(meera.trpc.admin.engines.create.mutate(entry)).rejects.toMatchObject({
      message: expect.stringContaining(`\`${key}\``),
      data: { httpStatus: 400 },
    })
    expect(await stored()).toBe('')
  })

  test('changes by members, of the configuration, and of unknown engines', async () => {
    const { create, update, delete: remove, test: check } = meera.trpc.admin.engines
    const status = (httpStatus: number) => ({ data: { httpStatus } })
    await expect(asha.trpc.admin.engines.create.mutate(patterns)).rejects.toMatchObject(status(403))
    await expect(update.mutate({ id: 'rangoli', label: 'Mine' })).rejects.toMatchObject(status(403))
    await expect(remove.mutate({ id: 'rangoli' })).rejects.toMatchObject(status(403))
    for (const call of [
      () => update.mutate({ id: 'none', label: 'x' }),
      () => remove.mutate({ id: 'none' }),
      () => check.mutate({ id: 'none' }),
    ])
      await expect(call()).rejects.toMatchObject(status(404))
    await create.mutate(patterns)
    await expect(update.mutate({ id: 'more', kind: 'openai' })).rejects.toMatchObject(status(400))
    await expect(update.mutate({ id: 'more', before: 'rangoli' })).rejects.toMatchObject(status(400))
    await removeAll()
  })
})

test('the variable that configures engines is named', async () => {
  const site = await startTestServer({ env: { IMAGE_ENGINE: 'rangoli' } })
  const administrator = await signUpAdministrator(site)
  const { engines } = await administrator.trpc.admin.engines.list.query()
  expect(engines).toMatchObject([{ id: 'rangoli', isAdded: false, fixedBy: 'IMAGE_ENGINE', secrets: [] }])
})
