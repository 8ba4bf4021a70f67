import { expect, test } from 'vitest'
import { initialOf } from './initial.tsx'

test.each([
  ['Asha Rao', 'A'],
  ['  émile', 'É'],
  ['लक्ष्मी', 'ल'],
  ['हिमा', 'हि'],
  ['👩🏽‍🎨 Mira', '👩🏽‍🎨'],
  ['', '?'],
])('%j has the initial %s', (name, initial) => {
  expect(initialOf(name)).toBe(initial)
})
