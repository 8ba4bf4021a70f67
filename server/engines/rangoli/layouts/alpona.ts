import { beads, circleOutline, disc, petalBand } from '../bands.ts'
import { medallion } from '../medallions.ts'
import { motifs } from '../motifs/catalog.ts'
import type { MotifName } from '../motifs/catalog.ts'
import { motifColors } from '../palette.ts'
import type { Scene } from '../scene.ts'
import { pointOnVine, vine } from '../shapes.ts'
import type { Vine } from '../shapes.ts'
import { around, dots, mirrored, place } from '../svg.ts'

/** Alpona of Bengal: tendrils that grow out of a lotus and curl towards the edge. */
export function alpona(scene: Scene): string {
  const { design, palette, random } = scene
  const sectors = sectorsFor(design.order)
  const colors = motifColors(palette, 0)
  const curl = random.between(0.9, 1.25)
  const sectorAngle = 360 / sectors
  const stem: Vine = {
    from: [0, -160],
    heading: sectorAngle * 0.3,
    length: 520 - sectors * 8,
    curvature: [-0.09, curl * 2.6],
    leafSize: 66 - sectors * 2.5,
    width: 5.5,
  }
  const fork = pointOnVine(stem, 0.3)
  const branch: Vine = {
    from: fork.point,
    heading: fork.heading - 30,
    length: 250 - sectors * 6,
    curvature: [-0.1, -curl * 5],
    leafSize: 38,
    width: 4,
  }
  return [
    around(mirrored(vine(branch, motifColors(palette, 1)) + vine(stem, colors)), sectors),
    around(
      place(motifs[symmetricMotif(scene)].draw(motifColors(palette, 2)), {
        y: -424,
        scale: sectors > 6 ? 0.7 : 0.84,
      }),
      sectors,
    ),
    around(
      dots(
        [
          [0, -452],
          [0, -468],
        ],
        5,
        palette.stroke,
      ),
      sectors,
      180 / sectors,
    ),
    around(place(lobeMotif(scene), { y: -305, scale: 7.4 / sectors + 0.05 }), sectors, 180 / sectors),
    petalBand({ inner: 112, outer: 196, count: sectors * (sectors > 6 ? 2 : 3) }, 'lotus', colors),
    disc(120, palette.background, palette.stroke, 3.5),
    beads(107, sectors * 6, 3, palette.stroke),
    circleOutline(96, palette.stroke, 1.6),
    medallion(design.motifs[0], 80, colors),
  ].join('')
}

/** Returns 5 to 8 sectors, so that the tendrils have space to curl and fill it. */
function sectorsFor(order: number): number {
  if (order < 5) return order * 2
  return order > 8 ? order / 2 : order
}

function lobeMotif({ design, palette }: Scene): string {
  return medallion(design.motifs[0], 52, motifColors(palette, 1))
}

/** Returns a secondary motif that can be drawn on the axis between two curls. */
function symmetricMotif({ design }: Scene): MotifName {
  return design.motifs.find((name, index) => index > 0 && !motifs[name].isDirectional) ?? 'lotus'
}
