import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import type { Post } from '../shared/posts.ts'
import { expectPageErrors } from './support/expectations.ts'
import { calls } from './support/network.ts'
import { signUp } from './support/user.ts'
import { useSite } from './support/site.ts'

const site = useSite()
let post: Post

beforeAll(async () => {
  post = await (await signUp(site.url)).share('A lotus at dawn')
})

test('downloads an image with its recipe under its post id', async () => {
  const { page } = await site.visit('/')
  const card = page.getByRole('listitem')
  await card.hover()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('button', { name: 'Download image' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`download-${post.id}.jpg`)
  const served = await fetch(`${site.url}/api/posts/${post.id}/download`)
  expect(served.headers.get('content-type')).toBe('image/jpeg')
  const bytes = Buffer.from(await served.arrayBuffer())
  expect((await readFile(await download.path())).equals(bytes)).toBe(true)
  expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff')
  expect(bytes.toString('latin1')).toContain('<rangoli:Prompt>A lotus at dawn<')
})

test('logs and shows a failed download, which can be tried again', async () => {
  const visitor = await site.visit('/')
  const { page } = visitor
  await page.route(calls.downloads, (route) => route.fulfill({ status: 404, body: 'gone' }))
  const card = page.getByRole('listitem')
  const failure = card.getByRole('alert').getByText(/could not be downloaded/)
  await card.hover()
  await card.getByRole('button', { name: 'Download image' }).click()
  await failure.waitFor()
  await expectPageErrors(visitor, /could not download file|status of 404/)
  await page.unroute(calls.downloads)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('button', { name: 'Download image' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`download-${post.id}.jpg`)
  await failure.waitFor({ state: 'detached' })
})
