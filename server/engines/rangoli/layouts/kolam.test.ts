import { expect, it } from 'vitest'
import { compose } from '../compose.ts'
import { interpretPrompt } from '../interpret-prompt.ts'
import { createRandom } from '../random.ts'
import { createWeave, traceLines } from './kolam.ts'

it.each([
  [2, 2],
  [3, 3],
  [7, 7],
  [8, 8],
  [9, 9],
  [5, 20],
])('draws one line around %s × %s dots', (columns, rows) => {
  for (const seed of ['a', 'b', 'c', 'd']) {
    const weave = createWeave(columns, rows, () => true, createRandom(seed))
    expect(weave.dots).toHaveLength(columns * rows)
    expect(traceLines(weave)).toHaveLength(1)
  }
})

it.each([8, 9, 10, 11])('draws one line around a subject in %s dots a side', (side) => {
  const isUsed = (x: number, y: number) =>
    Math.hypot(x - (side - 1) / 2, y - (side - 1) / 2) > 2 &&
    Math.min(x, side - 1 - x) + Math.min(y, side - 1 - y) >= Math.floor(side / 2) - 2
  expect(traceLines(createWeave(side, side, isUsed, createRandom('subject')))).toHaveLength(1)
})

it.each([7, 8])('draws as many dots in a row as a prompt asks for: %s', async (count) => {
  const svg = compose(await interpretPrompt(`a kolam of ${count} dots`))
  const paths = Array.from(svg.matchAll(/ d="([^"]*)"/g), ([, d = '']) => d.match(/h0/g)?.length ?? 0)
  expect(paths).toContain(count * count)
})
