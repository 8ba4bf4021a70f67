import { readFileSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import {
  installPackage,
  minimumCompiler,
  runToEnd,
  startProcess,
} from '../test/support/client-package/project.ts'
import { findViolations } from './support/axe.ts'
import { eventually, openPage } from './support/browser.ts'
import { serveOtherSite } from './support/other-site.ts'
import { useSite } from './support/site.ts'
import { signUp } from './support/user.ts'
import { tempFolder } from '../test/support/folder.ts'

const root = path.resolve(import.meta.dirname, '..')
const token = 'a-token-of-enough-letters'
const site = useSite({ API_TOKEN: token })

const guide = readFileSync(path.join(root, 'docs/api.md'), 'utf8')
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
  for await (const event of watchImages(rangoli, images.map(({ id }) => id))) {
    print(event.type === 'state' ? event.image.state : event.type)
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
  const folder = await tempFolder()
  await installPackage(folder)
  await writeFile(path.join(folder, 'index.html'), page(site.url))
  const origin = await serveOtherSite(folder)

  const context = await site.browser.newContext()
  onTestFinished(() => context.close())
  const tab = await openPage(context, origin, [site.url])
  await tab.page.goto(origin)
  const lines = tab.page.getByRole('listitem')
  await eventually(async () => (await lines.allTextContents()).at(-1)).toBe('end')
  const ends = ['succeeded', 'listed Kites over Jaipur', 'rejected not_signed_in', 'end']
  expect((await lines.allTextContents()).slice(-4)).toEqual(ends)
  expect(tab.errors.filter((line) => !/status of 401/.test(line))).toEqual([])
})

test('examples/terminal generates an image, prints its progress, downloads and shares it', async () => {
  const folder = await tempFolder()
  await installPackage(folder)
  await cp(path.join(root, 'examples/terminal'), folder, { recursive: true })
  await mkdir(path.join(folder, 'node_modules/@types'))
  await symlink(path.join(root, 'node_modules/@types/node'), path.join(folder, 'node_modules/@types/node'))
  expect(runToEnd([minimumCompiler], folder)).toEqual({ code: 0, stdout: '', stderr: '' })
  const { code, stdout, stderr } = await startProcess(
    process.execPath,
    ['generate.js', 'A peacock', 'in the rain', '--share', 'आशा'],
    folder,
    { RANGOLI_URL: site.url, RANGOLI_TOKEN: token },
  )
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(
      // The image may be finished before the program watches it.
      /^(?:(?:queued|Waiting, \d+ before it|Generating “A peacock in the rain”.*|\d+ %)\n)*succeeded\nhttp:\S+\n$/,
    ),
  })
  expect(stdout).toMatch(
    /^1024 × 1024 pixels are in download-\S+\.jpg\nShared by आशा: http:\S+\nGenerated today: \d+ of 20\n$/,
  )
  const file = (await readdir(folder)).find((name) => name.endsWith('.jpg')) ?? ''
  const shared = await fetch(/Shared by \S+ (\S+)/.exec(stdout)?.[1] ?? '')
  const downloaded = await readFile(path.join(folder, file))
  expect(downloaded.equals(Buffer.from(await shared.arrayBuffer()))).toBe(true)
  expect(await sharp(downloaded).metadata()).toMatchObject({ format: 'jpeg' })
})

test('examples/rest.sh generates, saves, shares and finds an image', async () => {
  const folder = await tempFolder()
  const env = { RANGOLI_URL: site.url, RANGOLI_TOKEN: token }
  const script = path.join(root, 'examples/rest.sh')
  const { code, stdout, stderr } = await startProcess('sh', [script], folder, env)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const downloaded = await readFile(path.join(folder, 'image.jpg'))
  expect(stdout).toContain(`${downloaded.length} bytes are in image.jpg`)
  expect(stdout).toContain('"prompt":"A peacock in the monsoon"')
  expect(stdout).toContain('{"success":false,"error":"The limit must be a whole number from 1 to 1,000."}')
  const shared = await fetch(/ (http:\S+\.jpg)\n/.exec(stdout)?.[1] ?? '')
  expect(downloaded.equals(Buffer.from(await shared.arrayBuffer()))).toBe(true)
})

test('examples/gallery-page shows posts newest first, as text, page by page, and searches them', async () => {
  const asha = await signUp(site.url, 'Asha Rao')
  for (let count = 1; count <= 13; count += 1) await asha.share(`Lamp ${count}`)
  await asha.share('<img src=x onerror="alert(1)"> & "more"', '<b>हेमंत</b>')
  const folder = await tempFolder()
  await cp(path.join(root, 'examples/gallery-page'), folder, { recursive: true })
  const html = await readFile(path.join(folder, 'index.html'), 'utf8')
  await writeFile(path.join(folder, 'index.html'), html.replace('http://localhost:3000', site.url))
  const origin = await serveOtherSite(folder)
  const context = await site.browser.newContext({ viewport: { width: 360, height: 740 } })
  onTestFinished(() => context.close())
  const { page: tab, alerts, errors } = await openPage(context, origin, [site.url])
  await tab.goto(origin)
  const [status, items] = [tab.getByRole('status'), tab.getByRole('listitem')]
  await eventually(() => status.textContent()).toBe('12 images, and there are more')
  expect(await findViolations(tab)).toEqual([])
  expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  expect(await items.first().innerText()).toBe('<b>हेमंत</b>\n<img src=x onerror="alert(1)"> & "more"')
  await tab.getByRole('button', { name: 'Show more' }).click()
  await eventually(() => items.count()).toBeGreaterThan(13)
  await tab.getByRole('searchbox', { name: 'Search by author or prompt' }).fill('lamp 13')
  await tab.keyboard.press('Enter')
  await eventually(() => status.textContent()).toBe('1 image')
  expect(await items.getByRole('link', { name: 'Lamp 13' }).count()).toBe(1)
  await tab.getByRole('searchbox').fill('nothing of the kind')
  await tab.getByRole('button', { name: 'Search' }).click()
  await eventually(() => status.textContent()).toBe('There are no such images.')
  expect({ alerts, errors }).toEqual({ alerts: [], errors: [] })
})
