import { expect, onTestFinished, test } from 'vitest'
import { launch, makeFolder } from './support/server-process.ts'
import { settled, useSite } from './support/site.ts'

const site = useSite()

async function freshFolder(): Promise<string> {
  const folder = await makeFolder()
  onTestFinished(folder.remove)
  return folder.path
}

test('seeds the gallery of a running server', async () => {
  const visitor = await site.visit('/')
  const { page } = visitor
  await page.getByRole('heading', { name: 'No Posts Yet' }).waitFor()
  const { code, stdout, stderr } = await site.run(['seed', '--posts', '12'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('Added 12 posts.')
  await page.reload()
  await settled(visitor)
  await page.getByText('Showing 12 posts', { exact: true }).waitFor()
  const images = page.getByRole('listitem').locator('img')
  const addresses = await images.evaluateAll((all) => all.map((one) => one.getAttribute('src')))
  expect(new Set(addresses).size).toBe(12)
})

test('rejects an invalid environment', async () => {
  const { code, stderr } = await launch(await freshFolder(), ['seed', '--posts', '1'], { PORT: 'x' }).finished
  expect(code).toBe(1)
  expect(stderr).toMatch(/^PORT: .*\n$/)
})
