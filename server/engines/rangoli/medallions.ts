import { type BandName, bands, disc, petal } from './shapes.ts'
import type { MotifColors } from './color.ts'
import { type MotifName, motifNamed } from './figures/catalog.ts'
import { motifColors } from './palette.ts'
import { cyclicAt, type NonEmpty } from './random.ts'
import data from './rings.json' with { type: 'json' }
import { repeatCount, type Scene } from './scene.ts'
import { around, circle, dots, inked, mirrored, place, polar } from './svg.ts'

/** A ring of a round ornament. */
export interface Ring {
  readonly inner: number
  readonly outer: number
  /** What fills it; by default nothing. */
  readonly band?: BandName
  /** Width of an item of the band. */
  readonly size?: number
  /** Index of the swatch of the band and of a `deep` disc. */
  readonly color?: number
  /** Disc up to the outer radius, under the band. */
  readonly disc?: 'background' | 'backgroundEdge' | 'backgroundTone' | 'deep' | 'base'
  /** Leaves out one item, as if it left the ring. */
  readonly hasGap?: boolean
}

/** Rings of layouts and their parts, by `rings.json`. */
export const recipes = data as unknown as Readonly<
  Record<PartName, readonly Ring[]> & {
    halos: NonEmpty<readonly Ring[]>
    roundels: NonEmpty<readonly Ring[]>
    mandalas: NonEmpty<{ readonly outside: readonly Ring[]; readonly inside: readonly Ring[] }>
  }
>

type PartName = Exclude<keyof typeof data, 'halos' | 'roundels' | 'mandalas'>

/** Draws rings around a point, the outermost first. Radii are in units of `scale`. */
export function rings(
  { design, palette }: Scene,
  list: readonly Ring[],
  scale = 1,
  order = design.order,
): string {
  return list
    .map(({ band, color = 0, size = 40, disc: fill, hasGap, ...radii }) => {
      const [inner, outer] = [radii.inner * scale, radii.outer * scale]
      const colors = motifColors(palette, color)
      const count = repeatCount(order, inner, size * scale)
      const fills = { ...palette, deep: colors.primary.deep, base: colors.primary.base }
      return (
        (fill === undefined
          ? ''
          : disc(outer, fills[fill], palette.stroke, inner > 40 || outer > 60 ? 3 : 2)) +
        (band === undefined
          ? ''
          : bands[band]({ inner, outer, count, ...(hasGap && { missing: count - 1 }) }, colors))
      )
    })
    .join('')
}

/** Small round ornament with a motif. `style` selects its petals, `color` its colors. */
export function roundel(
  scene: Scene,
  motif: MotifName,
  radius: number,
  style: number,
  color: number,
): string {
  const [petals, ...center] = cyclicAt(recipes.roundels, style)
  const colored = { inner: 0, outer: 1, ...petals, color: (petals?.color ?? 0) + color }
  return (
    rings(scene, [colored, ...center], radius, 2) +
    circle(0, 0, radius * 0.53, { stroke: scene.palette.stroke, width: 1.3 }) +
    medallion(motif, radius * 0.48, motifColors(scene.palette, color))
  )
}

/** One motif within a circle of `radius`; a directional one next to its mirror image. */
export function medallion(motif: MotifName, radius: number, colors: MotifColors): string {
  const { draw, isDirectional } = motifNamed(motif)
  if (!isDirectional || radius < 90) return place(draw(colors), { scale: (radius * 1.7) / 100 })
  const bud = inked(petal(0, radius * 0.3, radius * 0.17, 'lotus'), colors.secondary.base, colors.stroke, 1.8)
  const buds = [-42, 0, 42].map((angle) => place(bud, { angle })).join('')
  return (
    mirrored(place(draw(colors), { x: radius * 0.49, scale: (radius * 0.98) / 100, flip: true })) +
    place(buds, { y: -radius * 0.56 }) +
    place(buds, { y: radius * 0.56, angle: 180 })
  )
}

interface MotifRing extends Pick<Ring, 'inner' | 'outer' | 'hasGap'> {
  readonly motif: MotifName
  readonly colors: MotifColors
}

/** Ring of one motif, heads outwards; directional motifs form pairs that face each other. */
export function motifRing(
  { design }: Scene,
  { motif, inner, outer, colors, hasGap = false }: MotifRing,
): string {
  const { draw, isDirectional } = motifNamed(motif)
  const radius = (inner + outer) / 2
  const height = outer - inner
  const count = repeatCount(Math.min(design.order, 8), radius, height * (isDirectional ? 2.05 : 1.25))
  const space = (2 * Math.PI * (radius - height * 0.25)) / count
  const scale = Math.min(height, isDirectional ? space / 2.02 : space / 1.04) / 100
  const turn = (space / 4 / radius) * (180 / Math.PI)
  const [x, y] = polar(radius, turn)
  const slot = isDirectional
    ? mirrored(place(draw(colors), { x, y, angle: turn, scale, flip: true }))
    : place(draw(colors), { y: -radius, scale })
  const gap = space - scale * (isDirectional ? 190 : 84)
  return (
    around(slot, count, 0, hasGap ? 1 : -1) +
    around(spray(radius, Math.min(gap * 0.9, height * 0.62), colors), count, 180 / count)
  )
}

/** Three leaves and dots that fill the gap between two motifs; empty if the gap is too small. */
function spray(radius: number, space: number, colors: MotifColors): string {
  if (space < 14) return ''
  const blade = inked(
    petal(space * 0.12, space * 0.78, space * 0.3, 'leaf'),
    colors.tertiary.base,
    colors.stroke,
    1.6,
  )
  const stem = [0.06, 0.34, 0.54].map((at): readonly [number, number] => [0, space * at])
  return place(
    place(blade, { angle: -38 }) +
      place(blade, { angle: 38 }) +
      blade +
      dots(stem, space * 0.07, colors.stroke),
    { y: -radius + space * 0.2 },
  )
}
