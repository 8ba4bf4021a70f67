import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  installPackage,
  minimumCompiler,
  runToEnd,
  startProcess,
} from '../test/support/client-package/project.ts'
import { findViolations } from './support/axe.ts'
import { openPage } from './support/browser.ts'
import { eventually } from './support/expectations.ts'
import { serveOtherSite } from './support/other-site.ts'
import { signUp, type User } from './support/user.ts'
import { makeFolder } from './support/server-process.ts'
import { useSite } from './support/site.ts'

const root = path.resolve(import.meta.dirname, '..')
const token = 'a-token-of-enough-letters'
const site = useSite({ API_TOKEN: token })

async function freshFolder(): Promise<string> {
  const folder = await makeFolder()
  onTestFinished(folder.remove)
  return folder.path
}

describe('examples/terminal', () => {
  let folder: string
  let removeFolder: () => Promise<void>

  beforeAll(async () => {
    ;({ path: folder, remove: removeFolder } = await makeFolder())
    await installPackage(folder)
    await cp(path.join(root, 'examples/terminal'), folder, { recursive: true })
    await mkdir(path.join(folder, 'node_modules/@types'))
    await symlink(path.join(root, 'node_modules/@types/node'), path.join(folder, 'node_modules/@types/node'))
    expect(runToEnd([minimumCompiler], folder)).toEqual({ code: 0, stdout: '', stderr: '' })
  })
  afterAll(() => removeFolder())

  const env = () => ({ RANGOLI_URL: site.url, RANGOLI_TOKEN: token })

  test('generates an image, prints its progress, downloads and shares it', async () => {
    const { code, stdout, stderr } = await startProcess(
      ['generate.js', 'A peacock', 'in the monsoon', '--share', 'आशा'],
      folder,
      env(),
    )
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^(?:.*\n)*Generating “A peacock in the monsoon”.*\n(?:.*\n)*succeeded\nhttp:\S+\n$/,
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
})

describe('examples/rest.sh', () => {
  async function runScript(env: Record<string, string>) {
    const folder = await freshFolder()
    const child = spawn('sh', [path.join(root, 'examples/rest.sh')], {
      cwd: folder,
      env: { PATH: process.env['PATH'], RANGOLI_URL: site.url, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ])
    return { folder, code, stdout, stderr }
  }

  test('generates, saves, shares and finds an image', async () => {
    const { folder, code, stdout, stderr } = await runScript({ RANGOLI_TOKEN: token })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const downloaded = await readFile(path.join(folder, 'image.jpg'))
    expect(stdout).toContain(`${downloaded.length} bytes are in image.jpg`)
    expect(await sharp(downloaded).metadata()).toMatchObject({ format: 'jpeg' })
    expect(stdout).toContain('"prompt":"A peacock in the monsoon"')
    expect(stdout).toContain('{"success":false,"error":"The limit must be a whole number from 1 to 1,000."}')
    const shared = await fetch(/ (http:\S+\.jpg)\n/.exec(stdout)?.[1] ?? '')
    expect(downloaded.equals(Buffer.from(await shared.arrayBuffer()))).toBe(true)
  })
})

describe('examples/gallery-page', () => {
  let asha: User
  beforeAll(async () => {
    asha = await signUp(site.url, 'Asha Rao')
    for (let count = 1; count <= 13; count += 1) await asha.share(`Lamp ${count}`)
    await asha.share('<img src=x onerror="alert(1)"> & "more"', '<b>हेमंत</b>')
  })

  async function open(options: Parameters<typeof site.browser.newContext>[0] = {}, at = site.url) {
    const folder = await freshFolder()
    await cp(path.join(root, 'examples/gallery-page'), folder, { recursive: true })
    const html = await readFile(path.join(folder, 'index.html'), 'utf8')
    await writeFile(path.join(folder, 'index.html'), html.replace('http://localhost:3000', at))
    const origin = await serveOtherSite(folder)
    const context = await site.browser.newContext(options)
    onTestFinished(() => context.close())
    const tab = await openPage(context, origin, [at])
    await tab.page.goto(origin)
    return { ...tab, status: tab.page.getByRole('status'), items: tab.page.getByRole('listitem') }
  }

  test('shows posts newest first, as text, page by page, and searches them', async () => {
    const { page, status, items, alerts, errors } = await open()
    await eventually(() => status.textContent()).toBe('12 images, and there are more')
    expect(await items.first().innerText()).toBe('<b>हेमंत</b>\n<img src=x onerror="alert(1)"> & "more"')
    await page.getByRole('button', { name: 'Show more' }).click()
    await eventually(() => items.count()).toBeGreaterThan(13)
    expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0)
    await page.getByRole('searchbox', { name: 'Search by author or prompt' }).fill('lamp 13')
    await page.keyboard.press('Enter')
    await eventually(() => status.textContent()).toBe('1 image')
    expect(await items.getByRole('link', { name: 'Lamp 13' }).count()).toBe(1)
    await page.getByRole('searchbox').fill('nothing of the kind')
    await page.getByRole('button', { name: 'Search' }).click()
    await eventually(() => status.textContent()).toBe('There are no such images.')
    expect({ alerts, errors }).toEqual({ alerts: [], errors: [] })
  })

  test('has no accessibility violations on a phone in dark mode', async () => {
    const { page, status } = await open({ colorScheme: 'dark', viewport: { width: 360, height: 740 } })
    await eventually(() => status.textContent()).toContain('12 images')
    expect(await findViolations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  })
})
