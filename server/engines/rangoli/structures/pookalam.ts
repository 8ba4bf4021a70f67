import { beads, disc, petalBand } from '../bands.ts'
import { medal } from '../centerpiece.ts'
import { at } from '../random.ts'
import { firmCount } from '../rhythm.ts'
import { inkAt } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { circle, dots, polar } from '../svg.ts'
import type { Point } from '../svg.ts'

const CORE = 112
const RIM = 416
const HEAD = 9.4

/** A flower carpet: rings of flower heads, laid in stars and arcs of one colour each. */
export function pookalam(stage: Stage): string {
  const { brief, palette, random } = stage
  const pattern = random.pick([starPattern, petalPattern, spokePattern])
  const beds = palette.fills.map((): Point[] => [])
  for (let row = 0; ; row++) {
    const radius = CORE + HEAD + row * HEAD * 1.86
    if (radius > RIM - HEAD) break
    const count = firmCount(brief.order * 2, radius, HEAD * 2)
    for (let index = 0; index < count; index++) {
      const angle = ((index + (row % 2) / 2) * 360) / count
      const sector = (((angle * brief.order) / 360) % 1) * 2
      const swing = Math.abs(sector - 1)
      const colour = pattern((radius - CORE) / (RIM - CORE), swing)
      beds[colour % beds.length]?.push(polar(radius, angle))
    }
  }
  return [
    circle(0, 0, RIM + 26, { fill: palette.groundEdge, opacity: 0.5 }),
    petalBand(
      { inner: RIM - 8, outer: RIM + 34, count: firmCount(brief.order, RIM, 46) },
      'leaf',
      leafInk(stage),
    ),
    disc(RIM + 2, inkAt(palette, 0).fill.deep),
    ...beds.map((bed, index) => flowerHeads(bed, at(palette.fills, index))),
    disc(CORE, palette.ground, palette.line, 3.5),
    beads(CORE - 11, firmCount(brief.order, CORE, 18), 3.2, palette.line),
    medal(brief.motifs[0], CORE - 26, inkAt(palette, 0)),
  ].join('')
}

/** From the share of the way out and the swing within one sector (0 on its axis, 1 between two), a colour's index. */
type Pattern = (out: number, swing: number) => number

const starPattern: Pattern = (out, swing) => {
  const edge = out + swing * 0.34
  if (edge < 0.26) return 0
  if (edge < 0.34) return 2
  if (edge < 0.6) return 1
  if (edge < 0.68) return 2
  if (edge < 0.98) return 3
  if (edge < 1.06) return 2
  return 4
}

const petalPattern: Pattern = (out, swing) => {
  if (out > 0.9) return 0
  const bulge = Math.sin(Math.min(1, out / 0.88) * Math.PI) ** 0.8
  if (swing < bulge * 0.3) return 1
  if (swing < bulge * 0.62) return 0
  if (swing < bulge * 0.86) return 2
  return out < 0.45 ? 4 : 3
}

const spokePattern: Pattern = (out, swing) => {
  const ring = Math.floor(out * 5)
  if (out - ring / 5 < 0.045) return 2
  return (ring + (swing < 0.5 ? 0 : 1) + (ring % 2) * 2) % 5
}

function flowerHeads(
  bed: readonly Point[],
  { light, base, deep }: { light: string; base: string; deep: string },
): string {
  return dots(bed, HEAD, deep) + dots(bed, HEAD * 0.78, base) + dots(bed, HEAD * 0.34, light)
}

function leafInk({ palette }: Stage) {
  return { ...inkAt(palette, 0), fill: palette.leaf, second: palette.leaf }
}
