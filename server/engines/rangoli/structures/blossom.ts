import { beads, braidBand, disc, hoop, onCircle } from '../bands.ts'
import { centrepiece, medal } from '../centerpiece.ts'
import { petal } from '../petal.ts'
import type { PetalTip } from '../petal.ts'
import { firmCount } from '../rhythm.ts'
import { inkAt } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { around, dots, path, place, polar } from '../svg.ts'

const INNER = 150
const OUTER = 452

/** A few great petals, each a niche for the subject, and smaller ones between them. */
export function blossom(stage: Stage): string {
  const { brief, palette, random } = stage
  const count = nichesFor(brief.order)
  const tip = random.pick<PetalTip>(['lotus', 'round', 'drop'])
  const width = ((2 * Math.PI * 330) / count) * (tip === 'lotus' ? 0.7 : 0.86)
  const second = brief.motifs[1] ?? brief.motifs[0]
  return [
    around(backPetal(stage, width), count, 180 / count),
    around(niche(stage, { width, tip }), count),
    around(place(medal(second, 30, inkAt(palette, 2)), { y: -432 }), count, 180 / count),
    disc(INNER + 36, palette.groundEdge, palette.line, 3.5),
    braidBand({ inner: INNER + 8, outer: INNER + 32, count: firmCount(count, INNER, 40) }, inkAt(palette, 3)),
    disc(INNER + 4, inkAt(palette, 2).fill.deep, palette.line, 2.5),
    beads(INNER - 6, firmCount(count, INNER, 17), 2.6, palette.line),
    hoop(INNER - 16, palette.line, 1.4),
    centrepiece(stage, INNER - 22, second),
  ].join('')
}

/** Six to ten: fewer would be shields, more would be too narrow to show anything. */
function nichesFor(order: number): number {
  if (order < 6) return order * 2
  return order > 10 ? order / 2 : order
}

function backPetal({ palette }: Stage, width: number): string {
  const ink = inkAt(palette, 1)
  return (
    path(petal(INNER, 476, width * 0.92, 'leaf'), { fill: ink.fill.deep, stroke: palette.line, width: 3 }) +
    path(petal(INNER + 40, 452, width * 0.66, 'leaf'), { stroke: palette.line, width: 1.6 }) +
    dots([polar(322, 0), polar(346, 0), polar(368, 0)], 3.4, palette.line)
  )
}

function niche({ brief, palette }: Stage, { width, tip }: { width: number; tip: PetalTip }): string {
  const ink = inkAt(palette, 0)
  const size = Math.min(width * 0.37, 76)
  const y = tip === 'drop' ? -356 : -330
  return (
    path(petal(INNER - 40, OUTER, width, tip), { fill: ink.fill.base, stroke: palette.line, width: 4 }) +
    path(petal(INNER, OUTER - 24, width * 0.86, tip), {
      fill: palette.groundEdge,
      stroke: palette.line,
      width: 2,
    }) +
    place(dots(onCircle(size + 9, 28), 2.4, ink.third.base) + medal(brief.motifs[0], size, ink), { y })
  )
}
