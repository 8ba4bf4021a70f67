import { beads, disc, petalBand } from '../bands.ts'
import { medallion } from '../medallions.ts'
import type { MotifColors, Swatch } from '../color.ts'
import { motifColors } from '../palette.ts'
import { cyclicAt } from '../random.ts'
import { repeatCount } from '../scene.ts'
import type { Scene } from '../scene.ts'
import { circle, dots, polar } from '../svg.ts'
import type { Point } from '../svg.ts'

const INNER = 112
const OUTER = 416

/** Radius of a flower head. */
const HEAD = 9.4

/** Pookalam of Kerala: a carpet of flower heads in stars or arcs of one color each. */
export function pookalam(scene: Scene): string {
  const { design, palette, random } = scene
  const pattern = random.pick([starPattern, petalPattern, spokePattern])
  const beds = palette.swatches.map((): Point[] => [])
  for (let row = 0; ; row++) {
    const radius = INNER + HEAD + row * HEAD * 1.86
    if (radius > OUTER - HEAD) break
    const count = repeatCount(design.order * 2, radius, HEAD * 2)
    for (let index = 0; index < count; index++) {
      const angle = ((index + (row % 2) / 2) * 360) / count
      const sector = (((angle * design.order) / 360) % 1) * 2
      const swing = Math.abs(sector - 1)
      const color = pattern((radius - INNER) / (OUTER - INNER), swing)
      beds[color % beds.length]?.push(polar(radius, angle))
    }
  }
  return [
    circle(0, 0, OUTER + 26, { fill: palette.backgroundEdge, opacity: 0.5 }),
    petalBand(
      { inner: OUTER - 8, outer: OUTER + 34, count: repeatCount(design.order, OUTER, 46) },
      'leaf',
      leafColors(scene),
    ),
    disc(OUTER + 2, motifColors(palette, 0).primary.deep),
    ...beds.map((bed, index) => flowerHeads(bed, cyclicAt(palette.swatches, index))),
    disc(INNER, palette.background, palette.stroke, 3.5),
    beads(INNER - 11, repeatCount(design.order, INNER, 18), 3.2, palette.stroke),
    medallion(design.motifs[0], INNER - 26, motifColors(palette, 0)),
  ].join('')
}

/**
 * Selects the color of a flower head.
 *
 * @param out position from the inner edge, 0, to the outer edge, 1
 * @param swing position within a sector: 0 on its axis, 1 between two sectors
 * @returns an index into the palette's swatches
 */
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

function flowerHeads(bed: readonly Point[], { light, base, deep }: Swatch): string {
  return dots(bed, HEAD, deep) + dots(bed, HEAD * 0.78, base) + dots(bed, HEAD * 0.34, light)
}

function leafColors({ palette }: Scene): MotifColors {
  return { ...motifColors(palette, 0), primary: palette.leaf, secondary: palette.leaf }
}
