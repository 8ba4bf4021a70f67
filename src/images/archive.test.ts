import { expect, onTestFinished, test, vi } from 'vitest'
import { archiveName, archiveOf, fetchIfPossible } from './archive.ts'

test.each([
  ['Rangoli', 'rangoli-data-2026-03-07.zip'],
  ['Kalā & <Co>', 'kalā-co-data-2026-03-07.zip'],
  ['रंगोली', 'रंगोली-data-2026-03-07.zip'],
  ['../..', 'data-2026-03-07.zip'],
])('names the archive of the site %j %s', (site, name) => {
  expect(archiveName(site, 'data', new Date(2026, 2, 7))).toBe(name)
})

test('archives files, unless it is canceled', async () => {
  const files = [{ name: 'lotus.txt', input: 'A lotus' }]
  const archive = await archiveOf(files, new AbortController().signal)
  expect(await archive.text()).toMatch(/^PK.*lotus\.txtA lotus/s)
  await expect(archiveOf(files, AbortSignal.abort())).rejects.toThrow(/aborted/)
})

test('goes on without an image that cannot be fetched, unless it is canceled', async () => {
  const toConsole = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => toConsole.mockRestore())
  const { signal } = new AbortController()
  expect(await (await fetchIfPossible('data:,lotus', signal))?.text()).toBe('lotus')
  expect(await fetchIfPossible('data:lotus', signal)).toBeNull()
  expect(toConsole).toHaveBeenCalledOnce()
  await expect(fetchIfPossible('data:,lotus', AbortSignal.abort())).rejects.toThrow(/aborted/)
})
