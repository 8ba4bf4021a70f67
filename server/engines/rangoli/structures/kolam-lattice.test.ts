import { describe, expect, it } from 'vitest'
import { createRandom } from '../random.ts'
import type { Point } from '../svg.ts'
import { weaveLattice } from './kolam-lattice.ts'

describe('weaveLattice', () => {
  const dots = [-2, -1, 0, 1, 2].flatMap((x) => [-2, -1, 0, 1, 2].map((y): Point => [x, y]))
  const lattice = weaveLattice(dots, createRandom('weave'))

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

  it('joins nothing to a place without a dot', () => {
    expect(lattice.isOpen(5, 0)).toBe(false)
  })
})
