import type { MotifColors } from './color.ts'
import { dots, num, path, place, xy } from './svg.ts'
import type { Point } from './svg.ts'

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
