import type { MotifColors } from './color.ts'
import { around, circle, dots, num, path, place, type Point, polar, polygon, xy } from './svg.ts'

export type PetalTip = 'lotus' | 'round' | 'leaf' | 'drop'

/** Control points of the right half from base to tip: x in half widths, y as a fraction of the length. */
const halves: Record<PetalTip, readonly (readonly [x: number, y: number])[]> = {
  lotus: [
    [0, 0],
    [0.75, 0.12],
    [1.5, 0.56],
    [0.3, 0.88],
    [0.14, 0.92],
    [0.06, 0.96],
    [0, 1],
  ],
  round: [
    [0, 0],
    [0.55, 0.2],
    [1, 0.45],
    [1, 0.68],
    [1, 0.9],
    [0.5, 1],
    [0, 1],
  ],
  leaf: [
    [0, 0],
    [0.5, 0.1],
    [1, 0.28],
    [1, 0.48],
    [1, 0.7],
    [0.35, 0.86],
    [0, 1],
  ],
  drop: [
    [0, 0],
    [0.3, 0.3],
    [1, 0.5],
    [1, 0.74],
    [1, 0.9],
    [0.56, 1],
    [0, 1],
  ],
}

/** Path of a petal on the upward axis, with its base at radius `inner` and its tip at radius `outer`. */
export function petal(inner: number, outer: number, width: number, tip: PetalTip): string {
  const format = (side: number, [x, y]: readonly [number, number]) =>
    `${num((side * x * width) / 2)} ${num(-inner - y * (outer - inner))}`
  const [base, ...rising] = halves[tip].map((point) => format(1, point))
  const falling = halves[tip].map((point) => format(-1, point)).toReversed()
  return `M${base ?? ''}C${[...rising, ...falling.slice(1)].join(' ')}Z`
}

/** A stem whose curvature grows towards its end. */
export interface Vine {
  readonly from: Point
  /** Initial direction in degrees, 0 up, clockwise. */
  readonly heading: number
  readonly length: number
  /** Curvature at the start and the end, in degrees per pixel; positive is clockwise. */
  readonly curvature: readonly [start: number, end: number]
  readonly leafSize: number
  readonly width: number
}

/** Distance of two points of a vine in pixels. */
const STEP_LENGTH = 6

interface Step {
  readonly point: Point
  readonly heading: number
  /** Position on the vine, from 0 at the start to 1 at the end. */
  readonly progress: number
}

/** Draws a vine with leaves on its outer side, which get smaller towards the end, and a berry at the end. */
export function vine(shape: Vine, colors: MotifColors): string {
  const steps = traceVine(shape)
  const side = shape.curvature[1] > 0 ? -1 : 1
  const interval = Math.max(4, Math.round((shape.leafSize * 0.72) / STEP_LENGTH))
  const leaves = steps.filter((step, index) => index > 3 && index % interval === 0 && step.progress < 0.74)
  const end = steps.at(-1)?.point ?? shape.from
  return (
    leaves.map((step) => leafAt(step, side, shape.leafSize * (1 - step.progress * 0.6), colors)).join('') +
    path(smooth(steps.map((step) => step.point)), { stroke: colors.stroke, width: shape.width }) +
    dots([end], shape.width * 1.9, colors.stroke) +
    dots([end], shape.width * 1.1, colors.primary.base)
  )
}

/** Returns the point and direction of a vine at `progress`, from 0 to 1, where another can branch off. */
export function pointOnVine(
  shape: Vine,
  progress: number,
): { readonly point: Point; readonly heading: number } {
  const steps = traceVine(shape)
  return steps[Math.floor(progress * (steps.length - 1))] ?? { point: shape.from, heading: shape.heading }
}

function traceVine({ from, heading, length, curvature }: Vine): readonly Step[] {
  const count = Math.round(length / STEP_LENGTH)
  const steps: Step[] = []
  let [x, y] = from
  let direction = heading
  for (let index = 0; index <= count; index++) {
    const progress = index / count
    steps.push({ point: [x, y], heading: direction, progress })
    direction += STEP_LENGTH * (curvature[0] + (curvature[1] - curvature[0]) * progress ** 2)
    x += STEP_LENGTH * Math.sin((direction * Math.PI) / 180)
    y -= STEP_LENGTH * Math.cos((direction * Math.PI) / 180)
  }
  return steps
}

function leafAt({ point: [x, y], heading }: Step, side: number, size: number, colors: MotifColors): string {
  const blade =
    path(petal(2, size, size * 0.46, 'leaf'), {
      fill: colors.primary.base,
      stroke: colors.stroke,
      width: 2,
    }) + path(`M0 -5V${-Math.round(size * 0.7)}`, { stroke: colors.stroke, width: 1.3 })
  return place(blade, { x, y, angle: heading + side * 52 })
}

/** Path of quadratic curves through the midpoints between the points. */
function smooth(points: readonly Point[]): string {
  const midpoints = points.slice(1).map((point, index): string => {
    const previous = points[index] ?? point
    return `${xy(previous)} ${xy([(previous[0] + point[0]) / 2, (previous[1] + point[1]) / 2])}`
  })
  const [first = [0, 0]] = points
  return `M${xy(first)}Q${midpoints.join(' ')}`
}

/** Ring around the center, between two radii, with an ornament that repeats `count` times. */
export interface Band {
  readonly inner: number
  readonly outer: number
  readonly count: number
}

/** Returns evenly spaced points on a circle around the center, the first at `offset` degrees. */
export function pointsOnCircle(radius: number, count: number, offset = 0): readonly Point[] {
  return Array.from({ length: count }, (_, index) => polar(radius, offset + (index * 360) / count))
}

/** Returns the corners of a star with `count` points, the first at `turn` degrees. */
export function starPoints(count: number, outer: number, inner: number, turn = 0): readonly Point[] {
  return Array.from({ length: count * 2 }, (_, index) =>
    polar(index % 2 === 0 ? outer : inner, turn + (index * 180) / count),
  )
}

export function disc(radius: number, fill: string, stroke?: string, width = 2.5): string {
  return circle(0, 0, radius, stroke === undefined ? { fill } : { fill, stroke, width })
}

export function circleOutline(radius: number, stroke: string, width = 2): string {
  return circle(0, 0, radius, { stroke, width })
}

export function filledBand({ inner, outer }: Pick<Band, 'inner' | 'outer'>, fill: string): string {
  return circle(0, 0, (inner + outer) / 2, { stroke: fill, width: outer - inner })
}

export function beads(radius: number, count: number, size: number, fill: string, offset = 0): string {
  return dots(pointsOnCircle(radius, count, offset), size, fill)
}

/** Row of petals over a row of darker ones. */
export function petalBand({ inner, outer, count }: Band, tip: PetalTip, colors: MotifColors): string {
  const width = ((Math.PI * (inner + outer)) / count) * (tip === 'lotus' ? 0.8 : 0.98)
  const depth = outer - inner
  const back = path(petal(inner, outer - depth * 0.04, width, tip), {
    fill: colors.secondary.deep,
    stroke: colors.stroke,
    width: 1.6,
  })
  const front =
    path(petal(inner, outer, width, tip), { fill: colors.primary.base, stroke: colors.stroke, width: 2.6 }) +
    path(petal(inner + depth * 0.1, outer - depth * 0.24, width * 0.6, tip), { fill: colors.primary.light }) +
    path(petal(inner + depth * 0.16, outer - depth * 0.44, width * 0.3, tip), { fill: colors.primary.deep })
  return around(back, count, 180 / count) + around(front, count)
}

/** Half discs on the inner circle, with a dot above each joint. */
export function scallopBand({ inner, outer, count }: Band, colors: MotifColors): string {
  const chord = inner * Math.sin(Math.PI / count)
  const depth = outer - inner
  const bump = (scale: number) => {
    const half = chord * scale
    const y = -inner * Math.cos(Math.PI / count)
    return `M${num(-half)} ${num(y)}C${num(-half)} ${num(y - depth * 1.3 * scale)} ${num(half)} ${num(y - depth * 1.3 * scale)} ${num(half)} ${num(y)}`
  }
  return (
    around(
      path(bump(1), { fill: colors.primary.base, stroke: colors.stroke, width: 2.6 }) +
        path(bump(0.68), { fill: colors.secondary.base, stroke: colors.stroke, width: 1.6 }) +
        path(bump(0.36), { fill: colors.primary.light }),
      count,
    ) + beads(outer - depth * 0.22, count, Math.min(4.5, depth * 0.1), colors.stroke, 180 / count)
  )
}

/** Triangles that point outwards, with smaller inward ones between them. */
export function triangleBand({ inner, outer, count }: Band, colors: MotifColors): string {
  const half = 180 / count
  const outward: readonly Point[] = [polar(inner, -half), polar(outer, 0), polar(inner, half)]
  const middle = inner + (outer - inner) * 0.42
  const core: readonly Point[] = [
    polar(inner + 1, -half * 0.5),
    polar(middle, 0),
    polar(inner + 1, half * 0.5),
  ]
  const inward: readonly Point[] = [polar(outer, half * 0.45), polar(outer, half * 1.55), polar(middle, half)]
  return around(
    path(polygon(inward), { fill: colors.secondary.base }) +
      path(polygon(outward), { fill: colors.primary.base, stroke: colors.stroke, width: 2.2 }) +
      path(polygon(core), { fill: colors.tertiary.light }),
    count,
  )
}

/** Two wave lines that cross, with a dot in each loop. */
export function braidBand({ inner, outer, count }: Band, colors: MotifColors): string {
  const middle = (inner + outer) / 2
  const swing = (outer - inner) * 0.36
  const strand = (sign: number) => waveLine(middle, swing * sign, count)
  return (
    path(strand(1), { stroke: colors.stroke, width: 3 }) +
    path(strand(-1), { stroke: colors.primary.light, width: 3 }) +
    beads(middle, count * 2, swing * 0.4, colors.primary.base, 90 / count)
  )
}

/** Diamonds that form a trellis, with dots in them and at the joints. */
export function trellisBand({ inner, outer, count }: Band, colors: MotifColors): string {
  const half = 180 / count
  const diamond: readonly Point[] = [
    polar(inner, 0),
    polar((inner + outer) / 2, half),
    polar(outer, 0),
    polar((inner + outer) / 2, -half),
  ]
  return (
    around(path(polygon(diamond), { fill: colors.primary.base, stroke: colors.stroke, width: 2 }), count) +
    beads((inner + outer) / 2, count, (outer - inner) * 0.13, colors.tertiary.light) +
    beads((inner + outer) / 2, count, (outer - inner) * 0.09, colors.stroke, half)
  )
}

/** Pairs of leaves along a circular stem. */
export function garlandBand({ inner, outer, count }: Band, colors: MotifColors): string {
  const middle = (inner + outer) / 2
  const reach = (outer - inner) * 0.52
  const step = (360 / count) * 0.42
  const leafTo = (target: Point, bulge: number) => {
    const foot = polar(middle, -step)
    const side = polar(middle + bulge, -step * 0.1)
    const back = polar(middle + bulge * 0.15, step * 0.6)
    return `M${xy(foot)}Q${xy(side)} ${xy(target)}Q${xy(back)} ${xy(foot)}Z`
  }
  return (
    circleOutline(middle, colors.leaf.deep, 2.4) +
    around(
      path(leafTo(polar(middle + reach, step), reach), {
        fill: colors.leaf.base,
        stroke: colors.stroke,
        width: 1.5,
      }) +
        path(leafTo(polar(middle - reach, step), -reach), {
          fill: colors.leaf.base,
          stroke: colors.stroke,
          width: 1.5,
        }),
      count,
    )
  )
}

/** Path of a closed line that oscillates `count` times around a circle. */
function waveLine(radius: number, swing: number, count: number): string {
  const step = 360 / count
  const bend = step * 0.19
  const turn = (index: number, sign: number): string => {
    const angle = (index + (sign < 0 ? 0.5 : 0)) * step
    const distance = radius + sign * swing
    return `${xy(polar(distance, angle - bend))} ${xy(polar(distance, angle))}`
  }
  const turns = Array.from({ length: count }, (_, index) => `S${turn(index, -1)}S${turn(index + 1, 1)}`)
  const first = `M${xy(polar(radius + swing, 0))}C${xy(polar(radius + swing, bend))} ${turn(0, -1)}`
  return `${first}${turns.join('').slice(turns[0]?.indexOf('S', 1) ?? 0)}Z`
}
