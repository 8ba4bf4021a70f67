import { roundel } from '../medallions.ts'
import { isOrnament } from '../figures/catalog.ts'
import { cyclicAt, type Random } from '../random.ts'
import type { Scene } from '../scene.ts'
import { dots, path, place, type Point, xy } from '../svg.ts'

/**
 * Sikku kolam of Tamil Nadu: one closed line that loops around a lattice of dots (pulli), by the mirror-curve rule. As many
 * dots in a row as the prompt counts; without a number, the subject is in the middle.
 */
export function kolam(scene: Scene): string {
  const { design, palette, random, canvas } = scene
  const hasSubject = design.dots === undefined && !isOrnament(design.motifs[0])
  const side = design.dots ?? (hasSubject ? random.pick([8, 9, 10, 11]) : random.integer(6, 9))
  const spacing = 880 / side
  const [columns, rows] = [canvas.halfWidth, canvas.halfHeight].map(
    (half) => side + 2 * Math.round((half - 512) / spacing),
  ) as [number, number]
  const [middleX, middleY] = [(columns - 1) / 2, (rows - 1) / 2]
  const hole = side % 2 === 0 ? 2 : 1.9
  const cut = design.dots === undefined ? random.integer(0, Math.floor(side / 2) - 2) : 0
  const weave = createWeave(
    columns,
    rows,
    (x, y) =>
      (!hasSubject || Math.hypot(x - middleX, y - middleY) > hole) &&
      Math.min(x, columns - 1 - x) + Math.min(y, rows - 1 - y) >= cut,
    random,
  )
  const at = ([x, y]: Point): Point => [(x - middleX) * spacing, (y - middleY) * spacing]
  const lines = traceLines(weave)
    .map(({ points }) => curve(points.map(at)))
    .join('')
  const fills = new Map<string, string>()
  for (const dot of weave.dots) {
    const ring = Math.floor(Math.max(Math.abs(dot[0] - middleX), Math.abs(dot[1] - middleY)))
    const { base, light } = cyclicAt(palette.swatches, ring)
    const fill = ring % 2 === 0 ? base : light
    fills.set(fill, (fills.get(fill) ?? '') + curve(around(weave, dot).map(at)))
  }
  return [
    ...Array.from(fills, ([fill, d]) => path(d, { fill })),
    path(lines, { stroke: palette.backgroundEdge, width: spacing * 0.12, opacity: 0.4 }),
    path(lines, { stroke: palette.stroke, width: spacing * 0.068 }),
    dots(weave.dots.map(at), spacing * 0.085, palette.stroke),
    dots(weave.dots.map(at), spacing * 0.045, palette.backgroundEdge),
    hasSubject ? place(roundel(scene, design.motifs[0], spacing * (hole - 0.75), 0, 0), {}) : '',
  ].join('')
}

/** Dots of a lattice, and the gaps between neighbors, by their middles, where lines do not cross as there is a mirror. */
export interface Weave {
  readonly dots: readonly Point[]
  readonly has: (dot: Point) => boolean
  readonly closed: Set<number>
}

const sides: readonly Point[] = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
]

/** Places mirrors at random, with their mirror images, then as few as make all lines one. */
export function createWeave(
  columns: number,
  rows: number,
  isUsed: (x: number, y: number) => boolean,
  random: Random,
): Weave {
  const points = Array.from({ length: columns * rows }, (_, index): Point => [
    index % columns,
    Math.floor(index / columns),
  ])
  const used = points.filter(([x, y]) => isUsed(x, y))
  const keys = new Set(used.map(keyOf))
  const weave: Weave = { dots: used, has: (dot) => keys.has(keyOf(dot)), closed: new Set() }
  const drawn = new Map<number, boolean>()
  const gaps = used.flatMap((dot) => [1, 2].map((side) => ({ dot, side, gap: onSide(dot, side, 0.5) })))
  for (const { dot, side, gap } of gaps) {
    if (!weave.has(add(dot, sideAt(side)))) continue
    const x = Math.abs(gap[0] - (columns - 1) / 2)
    const y = Math.abs(gap[1] - (rows - 1) / 2)
    const orbit = keyOf(columns === rows ? [Math.min(x, y), Math.max(x, y)] : [x, y])
    const isClosed = drawn.get(orbit) ?? random.chance(0.3)
    drawn.set(orbit, isClosed)
    if (isClosed) weave.closed.add(keyOf(gap))
  }
  joinLines(weave, gaps)
  return weave
}

/** Adds or takes away the mirror of each gap where two different lines meet, which makes them one. */
function joinLines(
  weave: Weave,
  gaps: readonly { readonly dot: Point; readonly side: number; readonly gap: Point }[],
): void {
  const lineOf = new Map<number, number>()
  for (const [line, { strands }] of traceLines(weave).entries())
    for (const key of strands) lineOf.set(key, line)
  const joined: number[] = []
  const find = (line: number): number => (joined[line] === undefined ? line : find(joined[line]))
  for (const { dot, side, gap } of gaps) {
    const other = add(dot, sideAt(side))
    if (!weave.has(other)) continue
    const key = keyOf(gap)
    const isClosed = weave.closed.has(key)
    const [a, b] = [
      isClosed ? strand({ dot, side, turn: 0 }) : strand({ dot, side, turn: 1 }),
      isClosed ? strand({ dot: other, side: (side + 2) % 4, turn: 0 }) : strand({ dot, side, turn: -1 }),
    ].map((one) => find(lineOf.get(one) ?? 0)) as [number, number]
    if (a === b) continue
    joined[a] = b
    if (isClosed) weave.closed.delete(key)
    else weave.closed.add(key)
  }
}

/** Part of a line within the cell of one dot. */
interface Segment {
  readonly dot: Point
  /** Side of the cell at which the line enters: 0 is up, then clockwise. */
  readonly side: number
  /** Direction around the dot: 1 is clockwise, -1 counterclockwise; 0 names the side itself, where a mirror is. */
  readonly turn: number
}

/**
 * Traces all lines, as points of cubic curves: the first, then two control points and the end of each. Lines cross in gaps.
 *
 * @returns also the strands of each line, in gaps and beside mirrors
 */
export function traceLines(weave: Weave) {
  const visited = new Set<number>()
  const lines: { readonly points: readonly Point[]; readonly strands: readonly number[] }[] = []
  for (const dot of weave.dots) {
    const open = [0, 1, 2, 3].filter((side) => isOpen(weave, dot, side))
    if (open.length === 0) {
      lines.push({ points: loop(dot), strands: [0, 1, 2, 3].map((side) => strand({ dot, side, turn: 0 })) })
    }
    for (const side of open) {
      for (const turn of [1, -1]) {
        const start = { dot, side, turn }
        if (visited.has(strand(start))) continue
        const points = [onSide(dot, side, 0.5)]
        const strands: number[] = []
        let segment: Segment = start
        do {
          const { dot: at, turn: entered } = segment
          const { exit, passed, points: crossed } = crossCell(weave, segment)
          points.push(...crossed)
          strands.push(strand(segment), strand({ dot: at, side: exit, turn: -entered }))
          strands.push(...passed.map((mirror) => strand({ dot: at, side: mirror, turn: 0 })))
          segment = { dot: add(at, sideAt(exit)), side: (exit + 2) % 4, turn: -entered }
        } while (strand(segment) !== strand(start))
        for (const key of strands) visited.add(key)
        lines.push({ points, strands })
      }
    }
  }
  return lines
}

/** Outline of the area around one dot that the lines enclose. */
function around(weave: Weave, dot: Point): readonly Point[] {
  const start = [0, 1, 2, 3].find((side) => isOpen(weave, dot, side))
  if (start === undefined) return loop(dot)
  const points = [onSide(dot, start, 0.5)]
  let side = start
  do {
    const step = crossCell(weave, { dot, side, turn: 1 })
    points.push(...step.points)
    side = step.exit
  } while (side !== start)
  return points
}

/** Draws a curve from one open side of a cell to the next, around the mirrors between them. */
function crossCell(weave: Weave, { dot, side, turn }: Segment) {
  const points: Point[] = []
  const passed: number[] = []
  let from = onSide(dot, side, 0.5)
  let heading = unit(add(tangent(side, turn), sideAt(side), -1))
  for (let exit = (side + turn + 4) % 4; ; exit = (exit + turn + 4) % 4) {
    const isExit = isOpen(weave, dot, exit)
    const to = onSide(dot, exit, isExit ? 0.5 : 0.3)
    const arrival = isExit ? unit(add(tangent(exit, turn), sideAt(exit))) : tangent(exit, turn)
    const reach = Math.hypot(to[0] - from[0], to[1] - from[1]) * 0.37
    points.push(add(from, heading, reach), add(to, arrival, -reach), to)
    if (isExit) return { points, exit, passed }
    passed.push(exit)
    from = to
    heading = arrival
  }
}

/** Circle around a dot that has mirrors on all sides. */
function loop(dot: Point): readonly Point[] {
  return [0, 1, 2, 3, 0].flatMap((side, index): readonly Point[] => {
    const [at, before] = [onSide(dot, side, 0.3), onSide(dot, (side + 3) % 4, 0.3)]
    if (index === 0) return [at]
    return [add(before, tangent((side + 3) % 4, 1), 0.166), add(at, tangent(side, 1), -0.166), at]
  })
}

function curve(points: readonly Point[]): string {
  const [first = '', ...others] = points.map(xy)
  return `M${first}C${others.join(' ')}Z`
}

function isOpen({ has, closed }: Weave, dot: Point, side: number): boolean {
  return has(add(dot, sideAt(side))) && !closed.has(keyOf(onSide(dot, side, 0.5)))
}

function sideAt(side: number): Point {
  return sides[side] ?? [0, -1]
}

/** Direction of a line around the dot where it passes a side. */
function tangent(side: number, turn: number): Point {
  const [x, y] = sideAt(side)
  return [-y * turn, x * turn]
}

function onSide(dot: Point, side: number, distance: number): Point {
  return add(dot, sideAt(side), distance)
}

function add(point: Point, direction: Point, distance = 1): Point {
  return [point[0] + direction[0] * distance, point[1] + direction[1] * distance]
}

function unit([x, y]: Point): Point {
  const length = Math.hypot(x, y)
  return [x / length, y / length]
}

function strand({ dot, side, turn }: Segment): number {
  return (keyOf(dot) * 4 + side) * 3 + turn + 1
}

/** Key of a dot or of a point between two. */
function keyOf([x, y]: Point): number {
  return (2 * x + 2) * 4096 + 2 * y + 2
}
