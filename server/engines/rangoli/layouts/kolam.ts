import { disc, petalBand } from '../shapes.ts'
import { medallion } from '../medallions.ts'
import { motifColors } from '../palette.ts'
import { cyclicAt, type NonEmpty, type Random } from '../random.ts'
import { stepsTo, type Canvas, type Scene } from '../scene.ts'
import { circle, dots, num, path, place, type Point } from '../svg.ts'

/** Sikku kolam of Tamil Nadu: one or a few closed lines that loop around a lattice of dots (pulli). */
export function kolam(scene: Scene): string {
  const { design, palette, random, canvas } = scene
  // A lattice has a dot in its middle, so that only odd numbers are its side.
  const side = design.dots !== undefined && design.dots % 2 === 1 ? design.dots : undefined
  const { reach, sum: squareSum } =
    side === undefined ? random.pick(latticeSizes) : { reach: (side - 1) / 2, sum: side - 1 }
  const extra = extraSteps(canvas, reach)
  const isDiamond = squareSum === reach && extra.x + extra.y === 0
  const sum = squareSum === reach && !isDiamond ? reach + 2 : squareSum
  const spacing = Math.min(
    (2 * canvas.halfWidth - 144) / (2 * (reach + extra.x) + 1),
    (2 * canvas.halfHeight - 144) / (2 * (reach + extra.y) + 1),
  )
  const centers = side === undefined ? medallionCenters(reach, extra) : []
  const lattice = createLattice(latticeDots(reach, sum, extra, centers), random)
  const lines = traceLines(lattice, spacing).join('')
  const cells = lattice.dots.map((dot) => {
    const [x, y] = [Math.abs(dot[0]), Math.abs(dot[1])]
    const ring = sum < 2 * reach ? x + y : Math.max(x, y)
    const { base, light } = cyclicAt(palette.swatches, ring)
    return path(cellAround(lattice, dot, spacing), { fill: ring % 2 === 0 ? base : light })
  })
  return [
    ...cells,
    path(lines, { stroke: palette.backgroundEdge, width: spacing * 0.12, opacity: 0.4 }),
    path(lines, { stroke: palette.stroke, width: spacing * 0.068 }),
    ...lattice.dots.map(([x, y]) => pulli(scene, [x * spacing, y * spacing], spacing)),
    isDiamond ? cornerMedallions(scene) : '',
    ...centers.map((center, index) => {
      const content = centerMedallion(scene, spacing, index)
      return index === 0 ? content : place(content, { x: center[0] * spacing, y: center[1] * spacing })
    }),
  ].join('')
}

/** Minimum distance of a dot from the center of a medallion in steps, which leaves space for the subject. */
const MIN_DISTANCE = 2

/** Distance of two medallions on the axis of a long lattice in steps. */
const MEDALLION_DISTANCE = 6

/** Sizes of a lattice: maximum distance of a dot from the center along one axis, and the sum along both axes. */
const latticeSizes: NonEmpty<{ readonly reach: number; readonly sum: number }> = [
  { reach: 4, sum: 4 },
  { reach: 5, sum: 5 },
  { reach: 3, sum: 5 },
  { reach: 4, sum: 6 },
  { reach: 3, sum: 6 },
]

/** Steps from the center that a canvas adds to the reach of a square lattice. */
interface Extra {
  readonly x: number
  readonly y: number
}

function extraSteps({ halfWidth, halfHeight }: Canvas, reach: number): Extra {
  const spacing = 880 / (2 * reach + 1)
  return { x: Math.round((halfWidth - 512) / spacing), y: Math.round((halfHeight - 512) / spacing) }
}

/** Returns the center of the lattice, then those of the other medallions along its longer axis. */
function medallionCenters(reach: number, extra: Extra): readonly Point[] {
  const longest = reach + Math.max(extra.x, extra.y)
  const count = longest === reach ? 0 : Math.floor((longest - MIN_DISTANCE) / MEDALLION_DISTANCE)
  const distances = Array.from({ length: count }, (_, index) => (index + 1) * MEDALLION_DISTANCE)
  return [
    [0, 0],
    ...distances.flatMap((distance): readonly Point[] =>
      extra.x > 0
        ? [
            [-distance, 0],
            [distance, 0],
          ]
        : [
            [0, -distance],
            [0, distance],
          ],
    ),
  ]
}

function latticeDots(reach: number, sum: number, extra: Extra, centers: readonly Point[]): readonly Point[] {
  const all = stepsTo(reach + extra.x).flatMap((x) => stepsTo(reach + extra.y).map((y): Point => [x, y]))
  return all.filter(([x, y]) => {
    const beyond = Math.max(0, Math.abs(x) - extra.x) + Math.max(0, Math.abs(y) - extra.y)
    const isFree = centers.every(([cx, cy]) => Math.abs(x - cx) + Math.abs(y - cy) >= MIN_DISTANCE)
    return beyond <= sum && isFree
  })
}

/** Draws one dot of the lattice. */
function pulli({ palette }: Scene, [x, y]: Point, spacing: number): string {
  return (
    circle(x, y, spacing * 0.085, { fill: palette.stroke }) +
    circle(x, y, spacing * 0.045, { fill: palette.backgroundEdge })
  )
}

/** Medallion that the lattice surrounds, with the subject in the first and the next motif in every other one. */
function centerMedallion({ design, palette }: Scene, spacing: number, index: number): string {
  const colors = motifColors(palette, 0)
  return (
    petalBand({ inner: spacing * 0.66, outer: spacing * 1.2, count: 16 }, 'lotus', motifColors(palette, 1)) +
    disc(spacing * 0.74, palette.backgroundEdge, palette.stroke, 3) +
    medallion(cyclicAt(design.motifs, Math.ceil(index / 2) % 2), spacing * 0.6, colors)
  )
}

/** Medallions in the four corners that a diamond-shaped lattice leaves free. */
function cornerMedallions({ design, palette }: Scene): string {
  const distance = 340
  const corners: readonly (readonly [number, number, number])[] = [
    [distance, -distance, 45],
    [distance, distance, 135],
    [-distance, distance, 225],
    [-distance, -distance, 315],
  ]
  const colors = motifColors(palette, 1)
  return corners
    .map(([x, y, angle]) => {
      const halo = circle(0, 0, 62, { fill: palette.backgroundTone, stroke: palette.stroke, width: 2.4 })
      const ring = Array.from({ length: 20 }, (_, index): Point => {
        const turn = (index * Math.PI) / 10
        return [74 * Math.cos(turn), 74 * Math.sin(turn)]
      })
      return place(
        halo + dots(ring, 3.4, palette.stroke) + medallion(design.motifs[1] ?? design.motifs[0], 46, colors),
        { x, y, angle },
      )
    })
    .join('')
}

/** Creates eight random lattices and returns the one with the fewest lines, ideally a single one, and many curves. */
export function createLattice(points: readonly Point[], random: Random): Lattice {
  const candidates = Array.from({ length: 8 }, () => createCandidate(points, random))
  const rated = candidates.map((lattice) => ({
    lattice,
    cost: traceLines(lattice).length + points.filter((dot) => isCrossing(lattice, dot)).length * 0.4,
  }))
  const best = rated.reduce((a, b) => (b.cost < a.cost ? b : a))
  return best.lattice
}

/** Closes gaps at random, with their mirror images: along the diagonals too if the lattice is as wide as high. */
function createCandidate(points: readonly Point[], random: Random): Lattice {
  const isAsWideAsHigh = Math.max(...points.map(([x]) => x)) === Math.max(...points.map(([, y]) => y))
  const gapKey = (x: number, y: number) => keyOf(isAsWideAsHigh ? [Math.max(x, y), Math.min(x, y)] : [x, y])
  const present = new Set(points.map(keyOf))
  const openGaps = new Map<string, boolean>()
  const isOpen = (x: number, y: number): boolean => {
    const [fromX, fromY] = [Math.floor(x / 2), Math.floor(y / 2)]
    const [toX, toY] = [Math.ceil(x / 2), Math.ceil(y / 2)]
    if (!present.has(keyOf([fromX, fromY])) || !present.has(keyOf([toX, toY]))) return false
    return openGaps.get(gapKey(Math.abs(x), Math.abs(y))) ?? true
  }
  for (const [x, y] of points) {
    if (x >= 0 && y >= 0 && (x >= y || !isAsWideAsHigh)) {
      for (const gap of [
        [2 * x + 1, 2 * y],
        [2 * x, 2 * y + 1],
      ] as const) {
        openGaps.set(gapKey(...gap), !random.chance(0.34))
      }
    }
  }
  return { dots: points, isOpen }
}

function keyOf([x, y]: Point): string {
  return `${x},${y}`
}

/** Dots on a square lattice, and the gaps between neighbors that lines pass through. */
export interface Lattice {
  readonly dots: readonly Point[]
  /** Returns true if lines pass through the gap between two neighbors, given the sum of their coordinates. */
  readonly isOpen: (x: number, y: number) => boolean
}

const sides: readonly Point[] = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
]

/** Part of a line within the cell of one dot. */
interface Segment {
  readonly dot: Point
  /** Side of the cell at which the line enters: 0 is up, then clockwise. */
  readonly side: number
  /** Direction around the dot: 1 is clockwise, -1 counterclockwise. */
  readonly turn: number
}

/** Traces all lines of a lattice as closed paths, for dots `spacing` pixels apart. Lines cross in open gaps. */
export function traceLines(lattice: Lattice, spacing = 2): readonly string[] {
  const visited = new Set<string>()
  const lines: string[] = []
  for (const dot of lattice.dots) {
    const open = sides.map((_, side) => side).filter((side) => isOpenSide(lattice, dot, side))
    if (open.length === 0) lines.push(loopAround(dot, spacing))
    for (const side of open) {
      for (const turn of [1, -1]) {
        const line = traceLine(lattice, { dot, side, turn }, visited, spacing)
        if (line !== '') lines.push(line)
      }
    }
  }
  return lines
}

/** Path of the area around one dot that the lines enclose. */
export function cellAround(lattice: Lattice, dot: Point, spacing: number): string {
  const start = sides.findIndex((_, side) => isOpenSide(lattice, dot, side))
  if (start < 0) return loopAround(dot, spacing)
  let d = `M${formatPoint(sidePoint(dot, start, 0.5), spacing)}`
  let side = start
  do {
    const step = crossCell(lattice, { dot, side, turn: 1 }, spacing)
    d += step.curve
    side = step.exit
  } while (side !== start)
  return `${d}Z`
}

/** Returns true if a dot is open on all sides. */
export function isCrossing(lattice: Lattice, dot: Point): boolean {
  return sides.every((_, side) => isOpenSide(lattice, dot, side))
}

function traceLine(lattice: Lattice, start: Segment, visited: Set<string>, spacing: number): string {
  let d = `M${formatPoint(sidePoint(start.dot, start.side, 0.5), spacing)}`
  let segment = start
  if (visited.has(segmentKey(start))) return ''
  do {
    const { curve, exit } = crossCell(lattice, segment, spacing)
    visited.add(segmentKey(segment))
    visited.add(segmentKey({ dot: segment.dot, side: exit, turn: -segment.turn }))
    d += curve
    segment = { dot: add(segment.dot, sideAt(exit), 1), side: (exit + 2) % 4, turn: -segment.turn }
  } while (segmentKey(segment) !== segmentKey(start))
  return `${d}Z`
}

/** Draws a curve from one open side of a cell to the next, around the closed sides between them. */
function crossCell(
  lattice: Lattice,
  { dot, side, turn }: Segment,
  spacing: number,
): { curve: string; exit: number } {
  let curve = ''
  let from = sidePoint(dot, side, 0.5)
  let heading = unit(add(tangent(side, turn), sideAt(side), -1))
  let exit = side
  for (;;) {
    exit = (exit + turn + 4) % 4
    const isExit = isOpenSide(lattice, dot, exit)
    const to = sidePoint(dot, exit, isExit ? 0.5 : 0.3)
    const arrival = isExit ? unit(add(tangent(exit, turn), sideAt(exit), 1)) : tangent(exit, turn)
    const reach = Math.hypot(to[0] - from[0], to[1] - from[1]) * 0.37
    const controls = [add(from, heading, reach), add(to, arrival, -reach), to]
    curve += `C${controls.map((point) => formatPoint(point, spacing)).join(' ')}`
    if (isExit) return { curve, exit }
    from = to
    heading = arrival
  }
}

function loopAround(dot: Point, spacing: number): string {
  const radius = spacing * 0.3
  const [left, right] = [add(dot, [-0.3, 0], 1), add(dot, [0.3, 0], 1)]
  const arc = `A${num(radius)} ${num(radius)} 0 0 1`
  return `M${formatPoint(left, spacing)}${arc} ${formatPoint(right, spacing)}${arc} ${formatPoint(left, spacing)}Z`
}

function isOpenSide({ isOpen }: Lattice, dot: Point, side: number): boolean {
  const [x, y] = sideAt(side)
  return isOpen(2 * dot[0] + x, 2 * dot[1] + y)
}

function sideAt(side: number): Point {
  return sides[side] ?? [0, -1]
}

/** Direction of a line around the dot where it passes a side. */
function tangent(side: number, turn: number): Point {
  const [x, y] = sideAt(side)
  return [-y * turn, x * turn]
}

function sidePoint(dot: Point, side: number, distance: number): Point {
  return add(dot, sideAt(side), distance)
}

function add(point: Point, direction: Point, distance: number): Point {
  return [point[0] + direction[0] * distance, point[1] + direction[1] * distance]
}

function unit([x, y]: Point): Point {
  const length = Math.hypot(x, y)
  return [x / length, y / length]
}

function formatPoint([x, y]: Point, spacing: number): string {
  return `${num(x * spacing)} ${num(y * spacing)}`
}

function segmentKey({ dot, side, turn }: Segment): string {
  return `${dot[0]},${dot[1]},${side},${turn}`
}
