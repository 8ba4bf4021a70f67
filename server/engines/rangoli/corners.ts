import { beads, petalBand } from './bands.ts'
import { medal } from './centerpiece.ts'
import { motifs } from './motifs/catalogue.ts'
import { petal } from './petal.ts'
import { firmCount } from './rhythm.ts'
import { inkAt } from './stage.ts'
import type { Stage } from './stage.ts'
import { circle, dots, mirrored, path, place } from './svg.ts'
import { vine } from './vine.ts'
import type { Vine } from './vine.ts'

/** Two tendrils that leave the corner and curl away from each other. */
export function cornerTendrils({ palette }: Stage): string {
  const ink = inkAt(palette, 1)
  const tendril: Vine = {
    from: [0, -612],
    heading: 104,
    length: 250,
    bend: [0.1, 4.4],
    leafSize: 34,
    width: 3.6,
  }
  const bud = path(petal(500, 606, 54, 'lotus'), { fill: ink.fill.base, stroke: palette.line, width: 2.4 })
  const core = path(petal(530, 592, 24, 'lotus'), { fill: ink.fill.light })
  const spray =
    mirrored(vine(tendril, ink)) +
    bud +
    core +
    dots(
      [
        [0, -486],
        [0, -626],
      ],
      5,
      palette.line,
    )
  return place(spray, { y: -84, scale: 0.85 })
}

/** A lotus that opens towards the middle. */
export function cornerLotus({ palette }: Stage): string {
  const lotus = place(motifs.lotus.draw(inkAt(palette, 1)), { y: -548, angle: 180, scale: 1.25 })
  return (
    lotus +
    mirrored(
      dots(
        [
          [84, -530],
          [106, -516],
          [126, -500],
        ],
        4.5,
        palette.line,
      ),
    ) +
    dots([[0, -622]], 8, palette.line)
  )
}

/** A small round flower in the spandrel, upwards standing for the corner. */
export function cornerMedal({ brief, palette }: Stage): string {
  const ink = inkAt(palette, 1)
  const flower =
    petalBand({ inner: 34, outer: 66, count: 12 }, 'round', ink) +
    circle(0, 0, 38, { fill: palette.ground, stroke: palette.line, width: 2 }) +
    medal(brief.motifs[2] ?? brief.motifs[0], 29, inkAt(palette, 0))
  return (
    place(flower, { y: -560 }) +
    dots(
      [
        [0, -480],
        [-84, -540],
        [84, -540],
      ],
      5,
      palette.line,
    )
  )
}

/** A quarter mandala that sits in the corner itself. */
export function cornerFan({ palette }: Stage): string {
  const ink = inkAt(palette, 2)
  const corner = { inner: 96, outer: 168, count: 24 }
  const fan =
    petalBand(corner, 'lotus', ink) +
    circle(0, 0, 104, { fill: palette.ground, stroke: palette.line, width: 2.4 }) +
    beads(90, firmCount(4, 90, 18), 3, palette.line) +
    circle(0, 0, 74, { fill: ink.second.base, stroke: palette.line, width: 2.4 }) +
    circle(0, 0, 46, { fill: ink.third.base, stroke: palette.line, width: 2 })
  return place(fan, { y: -724.1, angle: 45 })
}
