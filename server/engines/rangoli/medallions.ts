import { beads, disc, petal, petalBand, scallopBand } from './shapes.ts'
import type { MotifColors } from './color.ts'
import { type MotifName, motifNamed } from './figures/catalog.ts'
import { motifColors } from './palette.ts'
import { repeatCount, type Scene } from './scene.ts'
import { around, dots, mirrored, path, place, polar } from './svg.ts'

/** Center of an image: petals around a disc with one motif. */
export function centerpiece({ design, palette, random }: Scene, radius: number, motif: MotifName): string {
  const colors = motifColors(palette, 0)
  const count = repeatCount(design.order, radius * 0.75, radius * 0.42)
  const core = radius * 0.56
  const petals = random.chance(0.7)
    ? petalBand({ inner: core * 0.9, outer: radius, count }, random.pick(['lotus', 'round', 'leaf']), colors)
    : scallopBand({ inner: core * 1.05, outer: radius * 0.96, count }, colors)
  return (
    petals +
    disc(core, palette.background, palette.stroke, 2.5) +
    beads(core * 0.88, repeatCount(design.order, core * 0.88, 12), 1.8, palette.stroke) +
    medallion(motif, core * 0.76, motifColors(palette, random.integer(1, 3)))
  )
}

/** One motif within a circle of `radius`; a directional one next to its mirror image. */
export function medallion(motif: MotifName, radius: number, colors: MotifColors): string {
  const { draw, isDirectional } = motifNamed(motif)
  if (!isDirectional) return place(draw(colors), { scale: (radius * 1.9) / 100 })
  const bud = path(petal(0, radius * 0.3, radius * 0.17, 'lotus'), {
    fill: colors.secondary.base,
    stroke: colors.stroke,
    width: 1.8,
  })
  const buds = [-42, 0, 42].map((angle) => place(bud, { angle })).join('')
  return (
    mirrored(place(draw(colors), { x: radius * 0.49, scale: (radius * 0.98) / 100, flip: true })) +
    place(buds, { y: -radius * 0.56 }) +
    place(buds, { y: radius * 0.56, angle: 180 })
  )
}

export interface MotifRing {
  readonly motif: MotifName
  readonly inner: number
  readonly outer: number
  readonly colors: MotifColors
}

/** Ring of one motif, heads outwards; directional motifs form pairs that face each other. */
export function motifRing({ design }: Scene, { motif, inner, outer, colors }: MotifRing): string {
  const { draw, isDirectional } = motifNamed(motif)
  const radius = (inner + outer) / 2
  const height = outer - inner
  const order = design.order
  const count = Math.max(order, repeatCount(order, radius, height * (isDirectional ? 2.05 : 1.25)))
  const space = (2 * Math.PI * (radius - height * 0.25)) / count
  const scale = Math.min(height, isDirectional ? space / 2.02 : space / 1.04) / 100
  const slot = isDirectional
    ? mirrored(place(draw(colors), { ...placeOnCircle(radius, space / 4), scale, flip: true }))
    : place(draw(colors), { y: -radius, scale })
  const gap = space - scale * (isDirectional ? 190 : 84)
  return (
    around(slot, count) +
    around(spray(radius, Math.min(gap * 0.9, height * 0.62), colors), count, 180 / count)
  )
}

/** Three leaves and dots that fill the gap between two motifs; empty if the gap is too small. */
function spray(radius: number, space: number, colors: MotifColors): string {
  if (space < 14) return ''
  const blade = path(petal(space * 0.12, space * 0.78, space * 0.3, 'leaf'), {
    fill: colors.tertiary.base,
    stroke: colors.stroke,
    width: 1.6,
  })
  const leaves = place(blade, { angle: -38 }) + place(blade, { angle: 38 }) + blade
  return place(
    leaves +
      dots(
        [
          [0, space * 0.06],
          [0, space * 0.34],
          [0, space * 0.54],
        ],
        space * 0.07,
        colors.stroke,
      ),
    { y: -radius + space * 0.2 },
  )
}

/** Placement at `distance` along the circle from the upward axis, rotated to stay upright on the circle. */
function placeOnCircle(radius: number, distance: number): { x: number; y: number; angle: number } {
  const angle = (distance / radius) * (180 / Math.PI)
  const [x, y] = polar(radius, angle)
  return { x, y, angle }
}
