import { beads, disc, hoop, petalBand } from '../bands.ts'
import { medal } from '../centerpiece.ts'
import { motifs } from '../motifs/catalogue.ts'
import type { MotifName } from '../names.ts'
import { inkAt } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { around, dots, mirrored, place } from '../svg.ts'
import { alongVine, vine } from '../vine.ts'
import type { Vine } from '../vine.ts'

/** Alpona: white tendrils that swing out of a lotus and curl up towards the rim. */
export function alpona(stage: Stage): string {
  const { brief, palette, random } = stage
  const sectors = sectorsFor(brief.order)
  const ink = inkAt(palette, 0)
  const curl = random.between(0.9, 1.25)
  const room = 360 / sectors
  const stem: Vine = {
    from: [0, -160],
    heading: room * 0.3,
    length: 520 - sectors * 8,
    bend: [-0.09, curl * 2.6],
    leafSize: 66 - sectors * 2.5,
    width: 5.5,
  }
  const fork = alongVine(stem, 0.3)
  const branch: Vine = {
    from: fork.at,
    heading: fork.heading - 30,
    length: 250 - sectors * 6,
    bend: [-0.1, -curl * 5],
    leafSize: 38,
    width: 4,
  }
  return [
    around(mirrored(vine(branch, inkAt(palette, 1)) + vine(stem, ink)), sectors),
    around(
      place(motifs[pickUpright(stage)].draw(inkAt(palette, 2)), { y: -424, scale: sectors > 6 ? 0.7 : 0.84 }),
      sectors,
    ),
    around(
      dots(
        [
          [0, -452],
          [0, -468],
        ],
        5,
        palette.line,
      ),
      sectors,
      180 / sectors,
    ),
    around(place(lobeMotif(stage), { y: -305, scale: 7.4 / sectors + 0.05 }), sectors, 180 / sectors),
    petalBand({ inner: 112, outer: 196, count: sectors * (sectors > 6 ? 2 : 3) }, 'lotus', ink),
    disc(120, palette.ground, palette.line, 3.5),
    beads(107, sectors * 6, 3, palette.line),
    hoop(96, palette.line, 1.6),
    medal(brief.motifs[0], 80, ink),
  ].join('')
}

/** Five to eight, so that the tendrils have room to curl and leave none empty. */
function sectorsFor(order: number): number {
  if (order < 5) return order * 2
  return order > 8 ? order / 2 : order
}

/** The subject between two stems. */
function lobeMotif({ brief, palette }: Stage): string {
  return medal(brief.motifs[0], 52, inkAt(palette, 1))
}

/** A motif that can stand alone on the axis between two curls. */
function pickUpright({ brief }: Stage): MotifName {
  return brief.motifs.find((name, index) => index > 0 && !motifs[name].isSided) ?? 'lotus'
}
