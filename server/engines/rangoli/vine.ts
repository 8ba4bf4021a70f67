import { petal } from './petal.ts'
import type { Ink } from './stage.ts'
import { dots, path, place, xy } from './svg.ts'
import type { Point } from './svg.ts'

/** A stem that curls up: where it starts, where it heads, and how its bend grows. */
export interface Vine {
  readonly from: Point
  /** Degrees, 0 up, clockwise. */
  readonly heading: number
  readonly length: number
  /** Degrees per pixel at the foot and at the end; the sign is the side it curls to. */
  readonly bend: readonly [foot: number, end: number]
  readonly leafSize: number
  readonly width: number
}

const STRIDE = 6

interface Step {
  readonly at: Point
  readonly heading: number
  /** From 0 at the foot to 1 at the end. */
  readonly share: number
}

/** The vine with leaves on its outer side, smaller towards the curl, and a berry at its end. */
export function vine(shape: Vine, ink: Ink): string {
  const steps = grow(shape)
  const side = shape.bend[1] > 0 ? -1 : 1
  const every = Math.max(4, Math.round((shape.leafSize * 0.72) / STRIDE))
  const leaves = steps.filter((step, index) => index > 3 && index % every === 0 && step.share < 0.74)
  const end = steps.at(-1)?.at ?? shape.from
  return (
    leaves.map((step) => leafAt(step, side, shape.leafSize * (1 - step.share * 0.6), ink)).join('') +
    path(smooth(steps.map((step) => step.at)), { stroke: ink.line, width: shape.width }) +
    dots([end], shape.width * 1.9, ink.line) +
    dots([end], shape.width * 1.1, ink.fill.base)
  )
}

/** Where the vine is after a share of its way, so that another can branch off. */
export function alongVine(shape: Vine, share: number): { readonly at: Point; readonly heading: number } {
  const steps = grow(shape)
  return steps[Math.floor(share * (steps.length - 1))] ?? { at: shape.from, heading: shape.heading }
}

function grow({ from, heading, length, bend }: Vine): readonly Step[] {
  const count = Math.round(length / STRIDE)
  const steps: Step[] = []
  let [x, y] = from
  let direction = heading
  for (let index = 0; index <= count; index++) {
    const share = index / count
    steps.push({ at: [x, y], heading: direction, share })
    direction += STRIDE * (bend[0] + (bend[1] - bend[0]) * share ** 2)
    x += STRIDE * Math.sin((direction * Math.PI) / 180)
    y -= STRIDE * Math.cos((direction * Math.PI) / 180)
  }
  return steps
}

function leafAt({ at: [x, y], heading }: Step, side: number, size: number, ink: Ink): string {
  const blade =
    path(petal(2, size, size * 0.46, 'leaf'), { fill: ink.fill.base, stroke: ink.line, width: 2 }) +
    path(`M0 -5V${-Math.round(size * 0.7)}`, { stroke: ink.line, width: 1.3 })
  return place(blade, { x, y, angle: heading + side * 52 })
}

/** Curves through the middles between the points. */
function smooth(points: readonly Point[]): string {
  const middles = points.slice(1).map((point, index): string => {
    const before = points[index] ?? point
    return `${xy(before)} ${xy([(before[0] + point[0]) / 2, (before[1] + point[1]) / 2])}`
  })
  const [first = [0, 0]] = points
  return `M${xy(first)}Q${middles.join(' ')}`
}
