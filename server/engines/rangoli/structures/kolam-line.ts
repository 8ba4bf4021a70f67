import { num } from '../svg.ts'
import type { Point } from '../svg.ts'

/** Dots on a square lattice and the gaps between them that the line may pass through. */
export interface Lattice {
  readonly dots: readonly Point[]
  /** Whether neighbours are joined, by the gap's place: the sum of the two dots. */
  readonly isOpen: (x: number, y: number) => boolean
}

const sides: readonly Point[] = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
]

interface Stride {
  readonly dot: Point
  /** The side of the dot's cell at which the line comes in: 0 up, then clockwise. */
  readonly side: number
  /** 1 clockwise around the dot, -1 the other way. */
  readonly turn: number
}

/** The closed lines as path data around dots `spacing` apart; each runs straight over where it crosses another. */
export function traceLines(lattice: Lattice, spacing = 2): readonly string[] {
  const walked = new Set<string>()
  const lines: string[] = []
  for (const dot of lattice.dots) {
    const open = sides.map((_, side) => side).filter((side) => leads(lattice, dot, side))
    if (open.length === 0) lines.push(loopAround(dot, spacing))
    for (const side of open) {
      for (const turn of [1, -1]) {
        const line = walk(lattice, { dot, side, turn }, walked, spacing)
        if (line !== '') lines.push(line)
      }
    }
  }
  return lines
}

/** The space that the line keeps around one dot, as path data. */
export function cellAround(lattice: Lattice, dot: Point, spacing: number): string {
  const start = sides.findIndex((_, side) => leads(lattice, dot, side))
  if (start < 0) return loopAround(dot, spacing)
  let d = `M${write(middleOf(dot, start, 0.5), spacing)}`
  let side = start
  do {
    const step = stepThrough(lattice, { dot, side, turn: 1 }, spacing)
    d += step.curve
    side = step.exit
  } while (side !== start)
  return `${d}Z`
}

/** Whether a dot is open on all sides, so that the line runs straight around it. */
export function isCrossing(lattice: Lattice, dot: Point): boolean {
  return sides.every((_, side) => leads(lattice, dot, side))
}

function walk(lattice: Lattice, start: Stride, walked: Set<string>, spacing: number): string {
  let d = `M${write(middleOf(start.dot, start.side, 0.5), spacing)}`
  let stride = start
  if (walked.has(strideKey(start))) return ''
  do {
    const { curve, exit } = stepThrough(lattice, stride, spacing)
    walked.add(strideKey(stride))
    walked.add(strideKey({ dot: stride.dot, side: exit, turn: -stride.turn }))
    d += curve
    stride = { dot: add(stride.dot, sideAt(exit), 1), side: (exit + 2) % 4, turn: -stride.turn }
  } while (strideKey(stride) !== strideKey(start))
  return `${d}Z`
}

/** From one open side of a cell to the next, around the closed ones between. */
function stepThrough(
  lattice: Lattice,
  { dot, side, turn }: Stride,
  spacing: number,
): { curve: string; exit: number } {
  let curve = ''
  let from = middleOf(dot, side, 0.5)
  let heading = unit(add(tangent(side, turn), sideAt(side), -1))
  let exit = side
  for (;;) {
    exit = (exit + turn + 4) % 4
    const isOut = leads(lattice, dot, exit)
    const to = middleOf(dot, exit, isOut ? 0.5 : 0.3)
    const arrival = isOut ? unit(add(tangent(exit, turn), sideAt(exit), 1)) : tangent(exit, turn)
    const reach = Math.hypot(to[0] - from[0], to[1] - from[1]) * 0.37
    const controls = [add(from, heading, reach), add(to, arrival, -reach), to]
    curve += `C${controls.map((point) => write(point, spacing)).join(' ')}`
    if (isOut) return { curve, exit }
    from = to
    heading = arrival
  }
}

function loopAround(dot: Point, spacing: number): string {
  const radius = spacing * 0.3
  const [left, right] = [add(dot, [-0.3, 0], 1), add(dot, [0.3, 0], 1)]
  const arc = `A${num(radius)} ${num(radius)} 0 0 1`
  return `M${write(left, spacing)}${arc} ${write(right, spacing)}${arc} ${write(left, spacing)}Z`
}

function leads({ isOpen }: Lattice, dot: Point, side: number): boolean {
  const [x, y] = sideAt(side)
  return isOpen(2 * dot[0] + x, 2 * dot[1] + y)
}

function sideAt(side: number): Point {
  return sides[side] ?? [0, -1]
}

/** The direction of a turn around the dot where it passes this side. */
function tangent(side: number, turn: number): Point {
  const [x, y] = sideAt(side)
  return [-y * turn, x * turn]
}

function middleOf(dot: Point, side: number, distance: number): Point {
  return add(dot, sideAt(side), distance)
}

function add(point: Point, direction: Point, distance: number): Point {
  return [point[0] + direction[0] * distance, point[1] + direction[1] * distance]
}

function unit([x, y]: Point): Point {
  const length = Math.hypot(x, y)
  return [x / length, y / length]
}

function write([x, y]: Point, spacing: number): string {
  return `${num(x * spacing)} ${num(y * spacing)}`
}

function strideKey({ dot, side, turn }: Stride): string {
  return `${dot[0]},${dot[1]},${side},${turn}`
}
