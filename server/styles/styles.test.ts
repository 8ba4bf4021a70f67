import sharp from 'sharp'
import { expect, test } from 'vitest'
import { signUpAdministrator } from '../../test/support/administrator.ts'
import { createInstantEngine } from '../../test/support/engine.ts'
import { eventually } from '../../test/support/generations.ts'
import { shareTestServer, startTestServer, type TestUser } from '../../test/support/test-server.ts'
import { follow } from '../../test/support/trpc-client.ts'
import names from '../../shared/style-names.json' with { type: 'json' }
import { fitsEngine, ownStylesMax, promptSlot, siteStylesMax } from '../../shared/styles.ts'
import { type EngineRequest, promptOnly } from '../engines/image-engine.ts'
import { createRangoliEngine } from '../engines/rangoli/rangoli-engine.ts'
import { drawCover } from './cover.ts'
import shipped from './shipped-styles.json' with { type: 'json' }

const requests: EngineRequest[] = []
const capabilities = { ...promptOnly, sizes: ['512x512', '512x768'] as const, negativePrompt: true, count: 4 }
const painter = createInstantEngine(
  { id: 'painter', label: 'Painter', model: 'paint-1', capabilities },
  requests,
)
const engines = [createRangoliEngine({ id: 'patterns', label: 'Patterns' }), painter]
const server = shareTestServer({ engines })

const dusk = { name: 'Dusk', template: 'a painting of {prompt} at dusk', negativePrompt: 'text' }

const generate = ({ trpc }: TestUser, input: Parameters<typeof trpc.images.generate.mutate>[0]) =>
  follow(trpc, input).ended

const styleIds = async ({ trpc }: Pick<TestUser, 'trpc'>) =>
  (await trpc.styles.list.query()).styles.map(({ id }) => id)

test('twelve styles ship for the embedded engine and twelve for models, each with words for a cover', async () => {
  const { styles } = await server().client().styles.list.query()
  expect(styles.map(({ id }) => id)).toEqual(shipped.map(({ id }) => id))
  const fitting = (id: string, kind: 'rangoli' | 'openai') =>
    styles.filter((style) => fitsEngine(style, { id, kind })).length
  expect([fitting('patterns', 'rangoli'), fitting('painter', 'openai')]).toEqual([12, 12])
  expect(Object.keys(names).toSorted()).toEqual(shipped.map(({ id }) => id).toSorted())
  for (const [id, translations] of Object.entries(names)) {
    expect({ id, languages: Object.keys(translations).toSorted() }).toEqual({
      id,
      languages: ['ar', 'en', 'es', 'hi'],
    })
  }
  for (const { template } of styles) expect(template.split(promptSlot)).toHaveLength(2)
})

test('the engine gets the template with the words, and the recipe has both apart', async () => {
  const asha = await server().signUp()
  const style = await asha.trpc.styles.create.mutate({ ...dusk, engine: 'painter', size: '512x768' })
  expect(style).toMatchObject({ ...dusk, loras: [], isOfSite: false })
  const styleId = style.id
  const image = await generate(asha, { prompt: 'a $& fox', styleId, negativePrompt: 'no context' })
  expect(requests.at(-1)).toMatchObject({
    prompt: 'a painting of a $& fox at dusk',
    negativePrompt: 'no context, text',
    size: { width: 512, height: 768 },
  })
  const kept = { id: styleId, name: 'Dusk', template: dusk.template }
  expect(image).toMatchObject({
    prompt: 'a $& fox',
    engine: 'painter',
    recipe: { prompt: 'a $& fox', negativePrompt: 'no context, text', style: kept },
  })
  const found = await asha.trpc.images.list.query({ search: 'dusk' })
  expect(found.images).toEqual([])

  const post = await asha.trpc.posts.create.mutate({ name: 'Asha', prompt: 'a $& fox', imageId: image.id })
  const shared = async () => (await server().client().posts.get.query({ id: post.id })).recipe
  expect(await shared()).toMatchObject({ prompt: 'a $& fox', style: kept })
  const download = await server().request(`/api/posts/${post.id}/download`)
  const { xmp } = await sharp(await download.arrayBuffer()).metadata()
  expect(xmp?.toString()).toContain('<rangoli:Style>Dusk</rangoli:Style>')
  // A template can say as much as the words.
  await asha.trpc.posts.update.mutate({ id: post.id, hidePrompt: true })
  expect(await shared()).not.toHaveProperty('style')
  await asha.trpc.styles.delete.mutate({ id: styleId })
  expect((await asha.trpc.images.get.query({ id: image.id })).recipe?.style).toEqual(kept)
})

test('a request with settings of its own keeps them, and each choice of the prompt gets the style', async () => {
  const asha = await server().signUp()
  const large = { ...dusk, engine: 'patterns', size: '4000x4000' } as const
  const { id: styleId } = await asha.trpc.styles.create.mutate(large)
  const input = { engine: 'painter', size: '512x512', negativePrompt: 'text, context', styleId } as const
  await generate(asha, { prompt: 'one more', ...input, size: undefined })
  expect(requests.at(-1)?.size).toBeNull()
  const foxes = { prompt: '{red|blue} fox', expand: true, ...input }
  const { images } = await asha.trpc.images.generate.mutate(foxes)
  expect(images.map(({ prompt }) => prompt)).toEqual(['red fox', 'blue fox'])
  const red = { prompt: 'a painting of red fox at dusk', negativePrompt: 'text, context' }
  await eventually(() => requests.slice(-2)).toContainEqual(expect.objectContaining(red))
})

test('the same words in another style are another pattern, of which only typed words are reported', async () => {
  const asha = await server().signUp()
  const plain = await asha.generate('a fox, a cockroach')
  const night = await generate(asha, { prompt: 'a fox, a cockroach', styleId: 'night' })
  expect(night.engine).toBe('patterns')
  expect(night.id).not.toBe(plain.id)
  expect(night.recipe).toMatchObject({ drawnFrom: ['fox'], notDrawn: ['cockroach'] })
  expect((await generate(asha, { prompt: 'a fox, a cockroach', styleId: 'night' })).id).toBe(night.id)
  await expect(generate(asha, { prompt: 'a fox', styleId: 'unknown' })).rejects.toThrow('Style not found.')
})

test('a request key stands for a request with its style', async () => {
  const asha = await server().signUp()
  const request = { prompt: 'a fox', requestKey: 'one', styleId: 'night' }
  const { images } = await asha.trpc.images.generate.mutate(request)
  expect((await asha.trpc.images.generate.mutate(request)).images[0]?.id).toBe(images[0]?.id)
  await expect(asha.trpc.images.generate.mutate({ ...request, styleId: 'warli' })).rejects.toThrow(
    'with other settings',
  )
})

test('a style is its owner’s: others neither see, use, change nor get its cover', async () => {
  const [asha, ravi] = [await server().signUp(), await server().signUp()]
  const { id, coverUrl } = await asha.trpc.styles.create.mutate(dusk)
  expect(await styleIds(ravi)).not.toContain(id)
  await expect(generate(ravi, { prompt: 'a fox', styleId: id })).rejects.toThrow('Style not found.')
  await expect(ravi.trpc.styles.update.mutate({ id, name: 'Mine' })).rejects.toThrow('Style not found.')
  await expect(ravi.trpc.styles.delete.mutate({ id })).rejects.toThrow('Style not found.')
  expect((await server().request(coverUrl)).status).toBe(404)
  expect((await server().request(coverUrl, { headers: { cookie: ravi.cookie } })).status).toBe(404)
  const own = await server().request(coverUrl, { headers: { cookie: asha.cookie } })
  expect(own.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
  const changed = await asha.trpc.styles.update.mutate({ id, template: '{prompt}, dawn' })
  expect(changed).toMatchObject({ name: 'Dusk', negativePrompt: 'text', template: '{prompt}, dawn' })
  expect((await server().request(coverUrl, { headers: { cookie: asha.cookie } })).status).toBe(404)
})

test('covers of the site are the same for everyone, and caches keep them', async () => {
  const { styles } = await server().client().styles.list.query()
  const response = await server().request(styles[0]?.coverUrl ?? '')
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/webp',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  const bytes = new Uint8Array(await response.arrayBuffer())
  expect(bytes).toEqual(await drawCover(shipped[0]?.cover ?? ''))
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 224, height: 224 })
})

test('administrators publish, change and remove styles of the site, also those that ship', async () => {
  const own = await startTestServer({ engines })
  const [admin, asha] = [await signUpAdministrator(own), await own.signUp()]
  await expect(asha.trpc.styles.create.mutate({ ...dusk, isOfSite: true })).rejects.toThrow('administrators')
  await expect(asha.trpc.styles.update.mutate({ id: 'warli' })).rejects.toThrow('administrators')
  await expect(asha.trpc.styles.delete.mutate({ id: 'warli' })).rejects.toThrow('administrators')
  const { key } = await admin.trpc.account.apiKeys.create.mutate({ name: 'A robot' })
  const robot = own.client({ authorization: `Bearer ${key}` })
  await expect(robot.styles.delete.mutate({ id: 'warli' })).rejects.toThrow('administrators')

  const school = await admin.trpc.styles.create.mutate({ ...dusk, isOfSite: true })
  await admin.trpc.styles.update.mutate({ id: 'warli', name: 'Village walls' })
  await admin.trpc.styles.delete.mutate({ id: 'girih' })
  const { styles } = await asha.trpc.styles.list.query()
  expect(styles[0]).toMatchObject({
    id: 'warli',
    name: 'Village walls',
    template: '{prompt}, white on terracotta',
  })
  expect(styles.at(-1)).toEqual(school)
  expect(await styleIds(asha)).not.toContain('girih')
  await expect(generate(asha, { prompt: 'a fox', styleId: 'girih' })).rejects.toThrow('Style not found.')
  const { entries } = await admin.trpc.admin.auditLog.query({ kind: 'site' })
  expect(entries[0]).toMatchObject({ record: { action: 'delete_style', details: { name: 'Girih' } } })
  expect(entries[2]).toMatchObject({ record: { action: 'create_style', details: { name: school.name } } })
  await admin.trpc.styles.update.mutate({ id: 'girih' })
  await admin.trpc.styles.delete.mutate({ id: school.id })
  expect(await styleIds(asha)).toEqual(shipped.map(({ id }) => id))
  for (let kept = 0; kept < siteStylesMax; kept += 1)
    await admin.trpc.styles.create.mutate({ ...dusk, isOfSite: true })
})

test('rejects a template without one place for the words, and more styles than a user may keep', async () => {
  const { trpc } = await server().signUp()
  for (const template of ['at dusk', '{prompt} and {prompt}']) {
    await expect(trpc.styles.create.mutate({ name: 'Dusk', template })).rejects.toMatchObject({
      data: { reason: 'bad_input', detail: { code: 'style_template' } },
    })
  }
  await expect(trpc.styles.create.mutate({ name: ' ', template: promptSlot })).rejects.toMatchObject({
    data: { detail: { code: 'untranslated', values: { message: expect.stringContaining('name') } } },
  })
  for (let kept = 0; kept < ownStylesMax; kept += 1) await trpc.styles.create.mutate(dusk)
  await expect(trpc.styles.create.mutate(dusk)).rejects.toMatchObject({
    data: { detail: { code: 'styles_max' } },
  })
})
