import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build, createLogger } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { installPackage } from '../test/support/client-package/project.ts'
import { openPage } from './support/browser.ts'
import { eventually } from './support/expectations.ts'
import { serveOtherSite } from './support/other-site.ts'
import { makeFolder } from './support/server-process.ts'
import { useSite } from './support/site.ts'
import { signUp } from './support/user.ts'

const token = 'a-token-of-enough-letters'
const site = useSite({ API_TOKEN: token })

const guide = readFileSync(path.resolve(import.meta.dirname, '../docs/api.md'), 'utf8')
/** Import map of the guide, which resolves the package's imports without a bundler. */
const importMap = /<script type="importmap">([^<]+)<\/script>/.exec(guide)?.[0] ?? ''

const page = (url: string) => `<!doctype html><html lang="en"><title>Elsewhere</title>
${importMap}
<ol></ol>
<script type="module">
  import { createRangoliClient, isRangoliError, watchImages } from 'rangoli-client'
  const print = (text) => document.querySelector('ol').append(Object.assign(document.createElement('li'), { textContent: text }))
  const rangoli = createRangoliClient({ url: '${url}', token: '${token}' })
  const { images } = await rangoli.images.generate.mutate({ prompt: 'Kites over Jaipur' })
  print('generated ' + performance.now())
  for await (const event of watchImages(rangoli, images.map(({ id }) => id))) {
    print((event.type === 'state' ? event.image.state : event.type) + ' ' + performance.now())
    if (event.type !== 'state' || event.image.state !== 'succeeded') continue
    const { prompt, id: imageId } = event.image
    await rangoli.posts.create.mutate({ name: 'Elsewhere', prompt, imageId })
  }
  const { posts } = await createRangoliClient({ url: '${url}' }).posts.list.query()
  print('listed ' + posts[0].prompt)
  try {
    await createRangoliClient({ url: '${url}' }).images.quota.query()
  } catch (error) {
    print('rejected ' + (isRangoliError(error) && error.data.reason))
  }
  print('end')
</script>`

test('generates, shares and lists from another origin with the package and no bundler', async () => {
  const folder = await makeFolder()
  onTestFinished(folder.remove)
  await installPackage(folder.path)
  await writeFile(path.join(folder.path, 'index.html'), page(site.url))
  const origin = await serveOtherSite(folder.path)

  const context = await site.browser.newContext()
  onTestFinished(() => context.close())
  const tab = await openPage(context, origin, [site.url])
  await tab.page.goto(origin)
  const lines = tab.page.getByRole('listitem')
  await eventually(async () => (await lines.allTextContents()).at(-1)).toBe('end')
  const output = await lines.allTextContents()
  const events = output.map((line) => line.split(' '))
  expect(events.map(([type]) => type)).toEqual(
    expect.arrayContaining(['generated', 'running', 'succeeded', 'listed', 'rejected', 'end']),
  )
  expect(output).toEqual(expect.arrayContaining(['listed Kites over Jaipur', 'rejected not_signed_in']))
  // Events arrive during the generation, not all at its end.
  const at = (type: string) => Number(events.find(([name]) => name === type)?.[1])
  expect(at('succeeded') - at('running')).toBeGreaterThan(20)
  expect(tab.errors.filter((line) => !/status of 401/.test(line))).toEqual([])
})

/** Program of another site that draws with a user's API key. */
const program = (url: string, key: string) => `
import { createRangoliClient, generateImage } from 'rangoli-client'

const list = document.querySelector('ol')
const print = (text) => list.append(Object.assign(document.createElement('li'), { textContent: text }))
const rangoli = createRangoliClient({ url: '${url}', token: '${key}' })

const generation = generateImage(rangoli, { prompt: 'Lamps on the river' })
for await (const event of generation) print(event.type === 'state' ? event.image.state : event.type)
const { image } = await generation
document.body.append(Object.assign(new Image(), { src: image.url, alt: image.prompt }))
print('bytes ' + (await (await fetch(image.url)).arrayBuffer()).byteLength)

const leaving = new AbortController()
const left = generateImage(rangoli, { prompt: 'An unwanted image' }, { signal: leaving.signal })
leaving.abort(new Error('left'))
print(await left.catch((error) => error.message))
print('end')
`

test('draws with an API key from another origin, in a bundle without modules of Node', async () => {
  const asha = await signUp(site.url)
  const { key } = await asha.trpc.account.apiKeys.create.mutate({
    name: 'Another site',
    scopes: ['generate'],
  })
  const folder = await makeFolder()
  onTestFinished(folder.remove)
  await installPackage(folder.path)
  await writeFile(
    path.join(folder.path, 'index.html'),
    '<!doctype html><html lang="en"><title>Elsewhere</title><ol></ol><script type="module" src="./program.js"></script>',
  )
  await writeFile(path.join(folder.path, 'program.js'), program(site.url, key))
  const warnings: string[] = []
  // Vite warns of modules of Node, which it replaces.
  const customLogger = { ...createLogger('silent'), warn: (text: string) => void warnings.push(text) }
  await build({
    root: folder.path,
    configFile: false,
    logLevel: 'silent',
    customLogger,
    build: { target: 'es2022' },
  })
  expect(warnings).toEqual([])
  const assets = path.join(folder.path, 'dist/assets')
  for (const file of readdirSync(assets)) {
    expect(readFileSync(path.join(assets, file), 'utf8')).not.toMatch(/["']node:|browser-external/)
  }

  const origin = await serveOtherSite(path.join(folder.path, 'dist'))
  const context = await site.browser.newContext()
  onTestFinished(() => context.close())
  const { page: elsewhere, errors } = await openPage(context, origin, [site.url])
  await elsewhere.goto(origin)
  const lines = elsewhere.getByRole('listitem')
  await eventually(async () => (await lines.allTextContents()).at(-1)).toBe('end')
  const output = await lines.allTextContents()
  expect(output).toEqual(expect.arrayContaining(['running', 'succeeded', 'finished']))
  expect(output.slice(-3)).toEqual([expect.stringMatching(/^bytes \d{4,}$/), 'left', 'end'])
  const drawn = elsewhere.getByRole('img', { name: 'Lamps on the river' })
  await eventually(() => drawn.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1024)
  expect((await asha.trpc.images.list.query()).images.at(-1)).toMatchObject({
    prompt: 'Lamps on the river',
    state: 'succeeded',
  })
  expect(errors).toEqual([])
})
