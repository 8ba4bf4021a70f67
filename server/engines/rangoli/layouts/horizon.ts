import { beads, circleOutline, disc, petalBand, pointsOnCircle, scallopBand } from '../bands.ts'
import type { MotifColors } from '../color.ts'
import { medallion } from '../medallions.ts'
import { isOrnament, motifs } from '../motifs/catalog.ts'
import type { MotifName } from '../motifs/catalog.ts'
import { motifColors } from '../palette.ts'
import { repeatCount } from '../scene.ts'
import type { Scene } from '../scene.ts'
import { around, circle, dots, mirrored, path, place, polar } from '../svg.ts'

/** Radius of the ground. */
const GROUND_RADIUS = 198

/** Motifs that are not drawn on the ground. */
const AIRBORNE: ReadonlySet<MotifName> = new Set([
  'balloon',
  'bird',
  'butterfly',
  'circuit',
  'clock',
  'cloud',
  'eye',
  'feather',
  'firework',
  'fish',
  'gem',
  'heart',
  'jellyfish',
  'kite',
  'moon',
  'planet',
  'rakhi',
  'snowflake',
  'star',
  'sun',
  'wave',
])

/** Small round planet with large and small motifs on it in turn, under a sky of rings. */
export function horizon(scene: Scene): string {
  const { design, palette } = scene
  const count = design.order >= 8 ? design.order / 2 : design.order
  const slot = (2 * Math.PI * (GROUND_RADIUS + 40)) / count
  const height = Math.min(222, slot * 0.76)
  const [subject] = design.motifs
  const [first = subject, second = subject] = design.motifs.filter((name) => !AIRBORNE.has(name))
  const overhead =
    design.motifs.find((name) => AIRBORNE.has(name) && !motifs[name].isDirectional) ??
    design.motifs.findLast(isOrnament) ??
    subject
  const colors = motifColors(palette, 0)
  return [
    skyRings(scene, count),
    around(standing(first, { height, colors }), count),
    around(
      standing(second, { height: Math.min(height * 0.7, slot * 0.5), colors: motifColors(palette, 2) }),
      count,
      180 / count,
    ),
    around(
      place(motifs[overhead].draw(motifColors(palette, 1)), { y: -GROUND_RADIUS - 186, scale: 1.05 }),
      count,
      180 / count,
    ),
    scallopBand(
      { inner: GROUND_RADIUS - 20, outer: GROUND_RADIUS + 4, count: repeatCount(count, GROUND_RADIUS, 34) },
      { ...colors, primary: palette.leaf },
    ),
    disc(GROUND_RADIUS - 14, palette.leaf.deep, palette.stroke, 3),
    petalBand(
      { inner: 112, outer: 176, count: repeatCount(count, 160, 62) },
      'lotus',
      motifColors(palette, 1),
    ),
    disc(118, palette.backgroundEdge, palette.stroke, 3),
    beads(107, repeatCount(count, 107, 16), 2.6, palette.stroke),
    circleOutline(98, palette.stroke, 1.4),
    medallion(subject, 80, colors),
  ].join('')
}

/** Motif on the ground; a directional one next to its mirror image. */
function standing(name: MotifName, { height, colors }: { height: number; colors: MotifColors }): string {
  const { draw, isDirectional } = motifs[name]
  if (!isDirectional) return place(draw(colors), { y: -GROUND_RADIUS - height * 0.47, scale: height / 100 })
  const size = height * 0.56
  const angle = 13.5
  const [x, y] = polar(GROUND_RADIUS + size * 0.46, angle)
  return mirrored(place(draw(colors), { x, y, angle, scale: size / 100, flip: true }))
}

function skyRings({ palette }: Scene, count: number): string {
  const glow = [455, 400, 345, 290].map((radius, index) =>
    circle(0, 0, radius, {
      fill: index % 2 === 0 ? palette.backgroundTone : palette.background,
      opacity: 0.7,
    }),
  )
  const rim = repeatCount(count, 455, 30)
  return (
    glow.join('') +
    circleOutline(455, palette.stroke, 3) +
    around(
      path('M-13 -457Q0 -482 13 -457', { stroke: palette.stroke, width: 2.4 }),
      repeatCount(count, 455, 28),
    ) +
    dots(pointsOnCircle(441, rim), 2.8, palette.stroke)
  )
}
