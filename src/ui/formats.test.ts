import { expect, test } from 'vitest'
import { loadI18n } from '../i18n/messages.ts'
import { formatBytes, formatDollars } from './formats.tsx'
import { relativeTime } from './relative-time.tsx'

const i18n = await loadI18n('en')
const now = Date.parse('2026-11-22T12:00:00Z')

test.each([
  [0, 'en', 'just now'],
  // The clock of the server may be ahead.
  [-90, 'en', 'just now'],
  [60, 'en', '1 minute ago'],
  [59 * 60 + 59, 'en', '59 minutes ago'],
  [3 * 3_600, 'en', '3 hours ago'],
  [86_400, 'en', 'yesterday'],
  [400 * 86_400, 'en', 'last year'],
  [3 * 3_600, 'hi', '3 घंटे पहले'],
  [12 * 60, 'ar', 'قبل 12 دقيقة'],
])('formats a time %i seconds ago in the language %s as "%s"', async (seconds, language, expected) => {
  expect(relativeTime(await loadI18n(language), now - seconds * 1_000, now)).toBe(expected)
})

test.each([
  [formatBytes(0, i18n), '0 bytes'],
  [formatBytes(1, i18n), '1 byte'],
  [formatBytes(1_250_000_000, i18n), '1.25 GB'],
  [formatDollars(0, i18n), '$0.00'],
  // Other currencies have the sign, too.
  [formatDollars(12, await loadI18n('es')), '12,00\u00a0US$'],
])('formats %s', (text, expected) => expect(text).toBe(expected))
