import { beads, disc, hoop, onCircle, petalBand, scallopBand } from '../bands.ts'
import { medal } from '../centerpiece.ts'
import { motifs } from '../motifs/catalogue.ts'
import type { MotifName } from '../names.ts'
import { firmCount } from '../rhythm.ts'
import { inkAt } from '../stage.ts'
import type { Ink, Stage } from '../stage.ts'
import { around, circle, dots, mirrored, path, place, polar } from '../svg.ts'

const EARTH = 198

/** What does not stand on the ground. */
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

/** A small round world: the subjects stand on it all around, tall and small in turn, under a sky of rings. */
export function horizon(stage: Stage): string {
  const { brief, palette } = stage
  const count = brief.order >= 8 ? brief.order / 2 : brief.order
  const slot = (2 * Math.PI * (EARTH + 40)) / count
  const tall = Math.min(222, slot * 0.76)
  const [subject] = brief.motifs
  const [first = 'house', second = 'tree'] = brief.motifs.filter((name) => !AIRBORNE.has(name))
  const overhead = brief.motifs.find((name) => AIRBORNE.has(name) && !motifs[name].isSided) ?? 'star'
  const ink = inkAt(palette, 0)
  return [
    skyRings(stage, count),
    around(standing(first, { tall, ink }), count),
    around(
      standing(second, { tall: Math.min(tall * 0.7, slot * 0.5), ink: inkAt(palette, 2) }),
      count,
      180 / count,
    ),
    around(
      place(motifs[overhead].draw(inkAt(palette, 1)), { y: -EARTH - 186, scale: 1.05 }),
      count,
      180 / count,
    ),
    scallopBand(
      { inner: EARTH - 20, outer: EARTH + 4, count: firmCount(count, EARTH, 34) },
      { ...ink, fill: palette.leaf },
    ),
    disc(EARTH - 14, palette.leaf.deep, palette.line, 3),
    petalBand({ inner: 112, outer: 176, count: firmCount(count, 160, 62) }, 'lotus', inkAt(palette, 1)),
    disc(118, palette.groundEdge, palette.line, 3),
    beads(107, firmCount(count, 107, 16), 2.6, palette.line),
    hoop(98, palette.line, 1.4),
    medal(subject, 80, ink),
  ].join('')
}

/** Upright on the ground line; one that looks to a side meets its mirror image. */
function standing(name: MotifName, { tall, ink }: { tall: number; ink: Ink }): string {
  const { draw, isSided } = motifs[name]
  if (!isSided) return place(draw(ink), { y: -EARTH - tall * 0.47, scale: tall / 100 })
  const small = tall * 0.56
  const angle = 13.5
  const [x, y] = polar(EARTH + small * 0.46, angle)
  return mirrored(place(draw(ink), { x, y, angle, scale: small / 100, flip: true }))
}

function skyRings({ palette }: Stage, count: number): string {
  const glow = [455, 400, 345, 290].map((radius, index) =>
    circle(0, 0, radius, { fill: index % 2 === 0 ? palette.groundTone : palette.ground, opacity: 0.7 }),
  )
  const rim = firmCount(count, 455, 30)
  return (
    glow.join('') +
    hoop(455, palette.line, 3) +
    around(
      path('M-13 -457Q0 -482 13 -457', { stroke: palette.line, width: 2.4 }),
      firmCount(count, 455, 28),
    ) +
    dots(onCircle(441, rim), 2.8, palette.line)
  )
}
