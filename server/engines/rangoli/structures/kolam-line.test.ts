import { describe, expect, it } from 'vitest'
import type { Point } from '../svg.ts'
import { cellAround, traceLines } from './kolam-line.ts'
import type { Lattice } from './kolam-line.ts'

const row: readonly Point[] = [
  [0, 0],
  [1, 0],
  [2, 0],
]
const joined: Lattice = { dots: row, isOpen: (x, y) => y === 0 && x > 0 && x < 4 }
const apart: Lattice = { dots: row, isOpen: () => false }

describe('traceLines', () => {
  it('loops once around dots that are joined in a row', () => {
    expect(traceLines(joined, 10)).toHaveLength(1)
  })

  it('draws a circle around every dot that stands alone', () => {
    expect(traceLines(apart, 10)).toHaveLength(3)
  })

  it('draws closed lines only', () => {
    for (const line of traceLines(joined, 10)) expect(line).toMatch(/^M[^M]*Z$/)
  })

  it('crosses every open gap exactly twice', () => {
    const [line = ''] = traceLines(joined, 10)
    const through = line.match(/ 5 0(?=[CZ])/g) ?? []
    expect(through).toHaveLength(2)
  })
})

describe('cellAround', () => {
  it('closes around a dot between two others', () => {
    expect(cellAround(joined, [1, 0], 10)).toMatch(/^M15 0C.*15 0Z$/)
  })
})
