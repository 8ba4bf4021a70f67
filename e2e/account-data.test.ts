import type { Download, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { AccountData } from '../shared/account.ts'
import { accountOn } from './support/account.ts'
import { readArchive } from './support/archive.ts'
import { eventually, expectPageErrors } from './support/expectations.ts'
import { requestLog } from './support/network.ts'
import { signUp, type User } from './support/user.ts'
import { focused } from './support/sign-in-dialog.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let asha: User

beforeAll(async () => {
  asha = await signUp(site.url, 'Asha Rao')
  await asha.share('A lotus at dawn')
  await asha.share('The lotus again, said otherwise')
  await asha.generate('A kite that is not shared')
})

async function download(page: Page): Promise<Download> {
  const [saved] = await Promise.all([page.waitForEvent('download'), accountOn(page).download.click()])
  return saved
}

function dataIn(archive: ReadonlyMap<string, Buffer>) {
  type Data = AccountData & { files: { file: string; photo: string }[]; missingFiles: string[] }
  return JSON.parse(archive.get('data.json')?.toString() ?? '') as Data
}

async function imageAt(photo: string): Promise<Buffer> {
  const headers = { cookie: `${asha.cookie.name}=${asha.cookie.value}` }
  return Buffer.from(await (await fetch(site.url + photo, { headers })).arrayBuffer())
}

test('the archive contains the data and each image byte for byte', async () => {
  const { page } = await site.visit('/account', { as: asha })
  const saved = await download(page)
  const today = await page.evaluate(() => new Date().toLocaleDateString('sv'))
  expect(saved.suggestedFilename()).toBe(`rangoli-data-${today}.zip`)
  await accountOn(page).data.getByRole('status').getByText('Your data is in your downloads.').waitFor()
  const archive = await readArchive(saved)
  const data = dataIn(archive)
  expect(data.user).toMatchObject({ name: 'Asha Rao', email: asha.email })
  expect(data.images.map(({ prompt }) => prompt)).toEqual(['A kite that is not shared', 'A lotus at dawn'])
  expect(data.posts.map(({ prompt }) => prompt)).toEqual([
    'The lotus again, said otherwise',
    'A lotus at dawn',
  ])
  expect(data.missingFiles).toEqual([])
  expect(data.files.map(({ file }) => file)).toEqual(data.images.map(({ id }) => `images/${id}.jpg`))
  expect([...archive.keys()]).toEqual([...data.files.map(({ file }) => file), 'data.json'])
  for (const { file, photo } of data.files) {
    expect(archive.get(file)?.equals(await imageAt(photo))).toBe(true)
  }
})

test('shows progress and can be canceled', async () => {
  const visitor = await site.visit('/account', { as: asha })
  const { page } = visitor
  const { data } = accountOn(page)
  let downloads = 0
  page.on('download', () => (downloads += 1))
  const asked = requestLog(page, '/uploads/')
  let images = 0
  // The second image never arrives.
  await page.route('**/uploads/**/original.jpg', async (route) => {
    images += 1
    if (images === 1) await route.continue()
  })
  await accountOn(page).download.focus()
  await page.keyboard.press('Enter')
  await data.getByText('1 of 2 images', { exact: true }).waitFor()
  const bar = data.getByRole('progressbar', { name: 'Images gathered' })
  expect(await bar.evaluate((it) => it instanceof HTMLProgressElement && it.position)).toBe(0.5)
  expect(await data.getByRole('button', { name: 'Gathering…' }).isDisabled()).toBe(true)
  await data.getByRole('button', { name: 'Cancel', exact: true }).click()
  await data.getByRole('status').getByText('Canceled. Nothing was downloaded.').waitFor()
  await eventually(() => focused(page)).toBe('Download my data')
  expect(asked).toHaveLength(2)
  expect(downloads).toBe(0)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  expect((await readArchive(await download(page))).size).toBe(3)
})

test('lists an image that can’t be fetched, and contains the rest', async () => {
  const visitor = await site.visit('/account', { as: asha })
  const { page } = visitor
  const { images } = await asha.trpc.images.list.query({})
  const photo = images.at(-1)?.photo ?? ''
  await page.route(`**${photo}`, (route) => route.abort())
  const archive = await readArchive(await download(page))
  expect(archive.size).toBe(2)
  expect(dataIn(archive).missingFiles).toEqual([photo])
  await accountOn(page)
    .data.getByRole('alert')
    .getByText(/^1 of 2 images could not be fetched/)
    .waitFor()
  await expectPageErrors(visitor, /net::ERR_FAILED|could not fetch an image/)
})
