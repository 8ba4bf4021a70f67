import { beads, disc, petalBand, scallopBand } from './bands.ts'
import { motifs } from './motifs/catalogue.ts'
import type { MotifName } from './names.ts'
import { petal } from './petal.ts'
import { firmCount } from './rhythm.ts'
import { inkAt } from './stage.ts'
import type { Ink, Stage } from './stage.ts'
import { mirrored, path, place } from './svg.ts'

/** The middle of the image: petals around a disc that holds one motif, or a flower's eye. */
export function centrepiece({ brief, palette, random }: Stage, radius: number, motif: MotifName): string {
  const ink = inkAt(palette, 0)
  const count = firmCount(brief.order, radius * 0.75, radius * 0.42)
  const core = radius * 0.56
  const petals = random.chance(0.7)
    ? petalBand({ inner: core * 0.9, outer: radius, count }, random.pick(['lotus', 'round', 'leaf']), ink)
    : scallopBand({ inner: core * 1.05, outer: radius * 0.96, count }, ink)
  return (
    petals +
    disc(core, palette.ground, palette.line, 2.5) +
    beads(core * 0.88, firmCount(brief.order, core * 0.88, 12), 1.8, palette.line) +
    medal(motif, core * 0.76, inkAt(palette, random.whole(1, 3)))
  )
}

/** One motif within a circle of this radius; one that looks to the side meets its mirror image. */
export function medal(motif: MotifName, radius: number, ink: Ink): string {
  const { draw, isSided } = motifs[motif]
  if (!isSided) return place(draw(ink), { scale: (radius * 1.9) / 100 })
  const bud = path(petal(0, radius * 0.3, radius * 0.17, 'lotus'), {
    fill: ink.second.base,
    stroke: ink.line,
    width: 1.8,
  })
  const buds = [-42, 0, 42].map((angle) => place(bud, { angle })).join('')
  return (
    mirrored(place(draw(ink), { x: radius * 0.49, scale: (radius * 0.98) / 100, flip: true })) +
    place(buds, { y: -radius * 0.56 }) +
    place(buds, { y: radius * 0.56, angle: 180 })
  )
}
