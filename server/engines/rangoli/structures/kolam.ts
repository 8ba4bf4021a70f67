import { disc, petalBand } from '../bands.ts'
import { medal } from '../centerpiece.ts'
import { at } from '../random.ts'
import type { NonEmpty } from '../random.ts'
import { inkAt } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { circle, dots, path, place } from '../svg.ts'
import type { Point } from '../svg.ts'
import { weaveLattice } from './kolam-lattice.ts'
import { cellAround, traceLines } from './kolam-line.ts'

/** A sikku kolam: one line, or a few, looped around a lattice of dots. */
export function kolam(stage: Stage): string {
  const { palette, random } = stage
  const { reach, cut } = random.pick(outlines)
  const spacing = 880 / (2 * reach + 1)
  const lattice = weaveLattice(latticeDots(reach, cut), random)
  const lines = traceLines(lattice, spacing).join('')
  const cells = lattice.dots.map((dot) => {
    const [x, y] = [Math.abs(dot[0]), Math.abs(dot[1])]
    const ring = cut < 2 * reach ? x + y : Math.max(x, y)
    const { base, light } = at(palette.fills, ring)
    return path(cellAround(lattice, dot, spacing), { fill: ring % 2 === 0 ? base : light })
  })
  return [
    ...cells,
    path(lines, { stroke: palette.groundEdge, width: spacing * 0.12, opacity: 0.4 }),
    path(lines, { stroke: palette.line, width: spacing * 0.068 }),
    ...lattice.dots.map(([x, y]) => pulli(stage, [x * spacing, y * spacing], spacing)),
    cut === reach ? offerings(stage) : '',
    heart(stage, spacing),
  ].join('')
}

/** The dots nearer to the middle than this make way for the subject. */
const HEART = 2

/** How far the dots go from the middle: along an axis, and along both axes together. */
const outlines: NonEmpty<{ readonly reach: number; readonly cut: number }> = [
  { reach: 4, cut: 4 },
  { reach: 5, cut: 5 },
  { reach: 3, cut: 5 },
  { reach: 4, cut: 6 },
  { reach: 3, cut: 6 },
]

function latticeDots(reach: number, cut: number): readonly Point[] {
  const steps = Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach)
  const all = steps.flatMap((x) => steps.map((y): Point => [x, y]))
  return all.filter(([x, y]) => Math.abs(x) + Math.abs(y) <= cut && Math.abs(x) + Math.abs(y) >= HEART)
}

/** The dot itself, which a kolam begins with. */
function pulli({ palette }: Stage, [x, y]: Point, spacing: number): string {
  return (
    circle(x, y, spacing * 0.085, { fill: palette.line }) +
    circle(x, y, spacing * 0.045, { fill: palette.groundEdge })
  )
}

function heart({ brief, palette }: Stage, spacing: number): string {
  const ink = inkAt(palette, 0)
  return (
    petalBand({ inner: spacing * 0.66, outer: spacing * 1.2, count: 16 }, 'lotus', inkAt(palette, 1)) +
    disc(spacing * 0.74, palette.groundEdge, palette.line, 3) +
    medal(brief.motifs[0], spacing * 0.6, ink)
  )
}

/** What lies in the four corners that a diamond leaves free. */
function offerings({ brief, palette }: Stage): string {
  const at45 = 340
  const corners: readonly (readonly [number, number, number])[] = [
    [at45, -at45, 45],
    [at45, at45, 135],
    [-at45, at45, 225],
    [-at45, -at45, 315],
  ]
  const ink = inkAt(palette, 1)
  return corners
    .map(([x, y, angle]) => {
      const halo = circle(0, 0, 62, { fill: palette.groundTone, stroke: palette.line, width: 2.4 })
      const ring = Array.from({ length: 20 }, (_, index): Point => {
        const turn = (index * Math.PI) / 10
        return [74 * Math.cos(turn), 74 * Math.sin(turn)]
      })
      return place(
        halo + dots(ring, 3.4, palette.line) + medal(brief.motifs[1] ?? brief.motifs[0], 46, ink),
        { x, y, angle },
      )
    })
    .join('')
}
