import { expect, test } from 'vitest'
import { archiveName } from './archive.ts'

test.each([
  ['Rangoli', 'rangoli-data-2026-03-07.zip'],
  ['Kalā & <Co>', 'kalā-co-data-2026-03-07.zip'],
  ['रंगोली', 'रंगोली-data-2026-03-07.zip'],
  ['../..', 'data-2026-03-07.zip'],
])('names the archive of the site %j %s', (site, name) => {
  expect(archiveName(site, 'data', new Date(2026, 2, 7))).toBe(name)
})
