import type { Random } from '../random.ts'
import type { Point } from '../svg.ts'
import { isCrossing, traceLines } from './kolam-line.ts'
import type { Lattice } from './kolam-line.ts'

/** The best of a few random lattices: few lines, as tradition prefers one that never ends, and many curves. */
export function weaveLattice(dots: readonly Point[], random: Random): Lattice {
  const drafts = Array.from({ length: 8 }, () => draft(dots, random))
  const rated = drafts.map((lattice) => ({
    lattice,
    cost: traceLines(lattice).length + dots.filter((dot) => isCrossing(lattice, dot)).length * 0.4,
  }))
  const best = rated.reduce((a, b) => (b.cost < a.cost ? b : a))
  return best.lattice
}

/** A gap is closed by chance, and with it those that mirror it. */
function draft(dots: readonly Point[], random: Random): Lattice {
  const present = new Set(dots.map(keyOf))
  const chosen = new Map<string, boolean>()
  const isOpen = (x: number, y: number): boolean => {
    const [fromX, fromY] = [Math.floor(x / 2), Math.floor(y / 2)]
    const [toX, toY] = [Math.ceil(x / 2), Math.ceil(y / 2)]
    if (!present.has(keyOf([fromX, fromY])) || !present.has(keyOf([toX, toY]))) return false
    const [a, b] = [Math.abs(x), Math.abs(y)]
    return chosen.get(keyOf([Math.max(a, b), Math.min(a, b)])) ?? true
  }
  for (const [x, y] of dots) {
    if (x >= y && y >= 0) {
      for (const gap of [
        [2 * x + 1, 2 * y],
        [2 * x, 2 * y + 1],
      ] as const) {
        chosen.set(keyOf([Math.max(...gap), Math.min(...gap)]), !random.chance(0.34))
      }
    }
  }
  return { dots, isOpen }
}

function keyOf([x, y]: Point): string {
  return `${x},${y}`
}
