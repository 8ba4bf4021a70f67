import { beads, braidBand, circleOutline, disc, pointsOnCircle } from '../bands.ts'
import { centerpiece, medallion } from '../medallions.ts'
import { motifColors } from '../palette.ts'
import { repeatCount } from '../scene.ts'
import type { Scene } from '../scene.ts'
import { petal } from '../shapes.ts'
import type { PetalTip } from '../shapes.ts'
import { around, dots, path, place, polar } from '../svg.ts'

const INNER = 150
const OUTER = 452

/** A few large petals, each with the subject in a niche, and smaller petals between them. */
export function blossom(scene: Scene): string {
  const { design, palette, random } = scene
  const count = nichesFor(design.order)
  const tip = random.pick<PetalTip>(['lotus', 'round', 'drop'])
  const width = ((2 * Math.PI * 330) / count) * (tip === 'lotus' ? 0.7 : 0.86)
  const second = design.motifs[1] ?? design.motifs[0]
  return [
    around(backPetal(scene, width), count, 180 / count),
    around(niche(scene, { width, tip }), count),
    around(place(medallion(second, 30, motifColors(palette, 2)), { y: -432 }), count, 180 / count),
    disc(INNER + 36, palette.backgroundEdge, palette.stroke, 3.5),
    braidBand(
      { inner: INNER + 8, outer: INNER + 32, count: repeatCount(count, INNER, 40) },
      motifColors(palette, 3),
    ),
    disc(INNER + 4, motifColors(palette, 2).primary.deep, palette.stroke, 2.5),
    beads(INNER - 6, repeatCount(count, INNER, 17), 2.6, palette.stroke),
    circleOutline(INNER - 16, palette.stroke, 1.4),
    centerpiece(scene, INNER - 22, second),
  ].join('')
}

/** Returns 6 to 10 niches: fewer would not look like petals, more would be too narrow for the subject. */
function nichesFor(order: number): number {
  if (order < 6) return order * 2
  return order > 10 ? order / 2 : order
}

function backPetal({ palette }: Scene, width: number): string {
  const colors = motifColors(palette, 1)
  return (
    path(petal(INNER, 476, width * 0.92, 'leaf'), {
      fill: colors.primary.deep,
      stroke: palette.stroke,
      width: 3,
    }) +
    path(petal(INNER + 40, 452, width * 0.66, 'leaf'), { stroke: palette.stroke, width: 1.6 }) +
    dots([polar(322, 0), polar(346, 0), polar(368, 0)], 3.4, palette.stroke)
  )
}

function niche({ design, palette }: Scene, { width, tip }: { width: number; tip: PetalTip }): string {
  const colors = motifColors(palette, 0)
  const size = Math.min(width * 0.37, 76)
  const y = tip === 'drop' ? -356 : -330
  return (
    path(petal(INNER - 40, OUTER, width, tip), {
      fill: colors.primary.base,
      stroke: palette.stroke,
      width: 4,
    }) +
    path(petal(INNER, OUTER - 24, width * 0.86, tip), {
      fill: palette.backgroundEdge,
      stroke: palette.stroke,
      width: 2,
    }) +
    place(
      dots(pointsOnCircle(size + 9, 28), 2.4, colors.tertiary.base) +
        medallion(design.motifs[0], size, colors),
      { y },
    )
  )
}
