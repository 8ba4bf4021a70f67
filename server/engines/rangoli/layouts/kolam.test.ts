import { describe, expect, it } from 'vitest'
import { compose } from '../compose.ts'
import { interpretPrompt } from '../interpret-prompt.ts'
import { createRandom } from '../random.ts'
import type { Point } from '../svg.ts'
import { cellAround, createLattice, type Lattice, traceLines } from './kolam.ts'

const row: readonly Point[] = [
  [0, 0],
  [1, 0],
  [2, 0],
]
const joined: Lattice = { dots: row, isOpen: (x, y) => y === 0 && x > 0 && x < 4 }
const separate: Lattice = { dots: row, isOpen: () => false }

describe('traceLines', () => {
  it('draws one line around dots that are joined in a row', () => {
    expect(traceLines(joined, 10)).toHaveLength(1)
  })

  it('draws a circle around every isolated dot', () => {
    expect(traceLines(separate, 10)).toHaveLength(3)
  })

  it('draws only closed lines', () => {
    for (const line of traceLines(joined, 10)) expect(line).toMatch(/^M[^M]*Z$/)
  })

  it('passes through every open gap exactly twice', () => {
    const [line = ''] = traceLines(joined, 10)
    const passes = line.match(/ 5 0(?=[CZ])/g) ?? []
    expect(passes).toHaveLength(2)
  })
})

describe('cellAround', () => {
  it('encloses a dot between two others in a closed path', () => {
    expect(cellAround(joined, [1, 0], 10)).toMatch(/^M15 0C.*15 0Z$/)
  })
})

describe('createLattice', () => {
  const dots = [-2, -1, 0, 1, 2].flatMap((x) => [-2, -1, 0, 1, 2].map((y): Point => [x, y]))
  const lattice = createLattice(dots, createRandom('weave'))

  it('is symmetric about both axes and both diagonals', () => {
    for (const [x, y] of [
      [1, 0],
      [3, 2],
      [1, 4],
      [3, 0],
    ] as const) {
      const opens = [lattice.isOpen(x, y), lattice.isOpen(-x, y), lattice.isOpen(x, -y), lattice.isOpen(y, x)]
      expect(new Set(opens).size).toBe(1)
    }
  })

  it('opens no gap next to a position without a dot', () => {
    expect(lattice.isOpen(5, 0)).toBe(false)
  })
})

it('draws as many dots in a row as a prompt asks for', async () => {
  const svg = compose(await interpretPrompt('a kolam of 7 dots'))
  // Each has a core.
  expect(svg.match(/<circle [^>]*r="/g)).toHaveLength(2 * 7 * 7)
})
