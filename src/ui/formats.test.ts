import { expect, test } from 'vitest'
import { loadI18n } from '../i18n/messages.ts'
import { relativeTime } from './formats.tsx'

const i18n = await loadI18n('en')
const now = Date.parse('2026-11-22T12:00:00Z')

test.each([
  [0, 'just now'],
  // The clock of the server may be ahead.
  [-90, 'just now'],
  [60, '1 minute ago'],
  [59 * 60 + 59, '59 minutes ago'],
  [3 * 3_600, '3 hours ago'],
  [86_400, 'yesterday'],
  [8 * 86_400, 'last week'],
  [400 * 86_400, 'last year'],
])('formats a time %i seconds ago as "%s"', (seconds, expected) => {
  expect(relativeTime(i18n, now - seconds * 1_000, now)).toBe(expected)
})

test('formats times in the language of the page', async () => {
  const hindi = await loadI18n('hi')
  expect(relativeTime(hindi, now - 3 * 3_600_000, now)).toBe('3 घंटे पहले')
  const arabic = await loadI18n('ar')
  expect(relativeTime(arabic, now - 12 * 60_000, now)).toBe('قبل 12 دقيقة')
})
