import { rgbaToThumbHash } from 'thumbhash'
import { expect, test } from 'vitest'
import { averageColor, describeSource } from './image.tsx'
import { loadI18n } from '../i18n/messages.ts'

const i18n = await loadI18n('en')

test('reads the average color from a ThumbHash', () => {
  const red = Uint8Array.from({ length: 8 * 8 * 4 }, (_, index) =>
    index % 4 === 0 || index % 4 === 3 ? 255 : 0,
  )
  const placeholder = Buffer.from(rgbaToThumbHash(8, 8, red)).toString('base64')
  const [r = 0, g = 0, b = 0] = Array.from(averageColor(placeholder).matchAll(/\d+/g), Number)
  expect(r).toBeGreaterThan(240)
  expect(Math.max(g, b)).toBeLessThan(15)
})

test.each([
  [{ source: 'generated', engineKind: 'rangoli', isAiMade: false }, 'Pattern'],
  [{ source: 'generated', engineKind: 'openai', isAiMade: true }, 'AI-made'],
  [{ source: 'uploaded', engineKind: null, isAiMade: null }, 'Uploaded'],
  [{ source: 'uploaded', engineKind: null, isAiMade: true }, 'AI-made'],
] as const)('labels %o as %s', (image, label) => {
  expect(i18n._(describeSource(image))).toBe(label)
})
