import { petal } from '../shapes.ts'
import type { MotifColors } from '../color.ts'
import { motifNamed } from '../figures/catalog.ts'
import { medallion, recipes, rings } from '../medallions.ts'
import { motifColors } from '../palette.ts'
import type { Scene } from '../scene.ts'
import { around, dots, inked, mirrored, path, place, type Point, polar, xy } from '../svg.ts'

/** Alpona of Bengal: tendrils that grow out of a lotus and curl towards the edge. */
export function alpona(scene: Scene): string {
  const { design, palette, random } = scene
  // Five to eight sectors, so that the tendrils have space to curl and fill it.
  const order = design.order
  const sectors = order < 5 ? order * 2 : order > 8 ? order / 2 : order
  const curl = random.between(0.9, 1.25)
  const stem: Vine = {
    from: [0, -160],
    heading: 108 / sectors,
    length: 520 - sectors * 8,
    curvature: [-0.09, curl * 2.6],
    leafSize: 70 - sectors * 2.5,
    width: 5.5,
  }
  const fork = trace(stem)[Math.floor((0.3 * stem.length) / STEP)]
  const branch: Vine = {
    from: fork?.point ?? stem.from,
    heading: (fork?.heading ?? 0) - 30,
    length: 250 - sectors * 6,
    curvature: [-0.1, -curl * 5],
    leafSize: 42,
    width: 4,
  }
  const between = design.motifs.find((name, index) => index > 0 && !motifNamed(name).isDirectional) ?? 'lotus'
  return [
    around(mirrored(vine(branch, motifColors(palette, 1)) + vine(stem, motifColors(palette, 0))), sectors),
    around(place(medallion(between, sectors > 6 ? 40 : 48, motifColors(palette, 2)), { y: -424 }), sectors),
    around(
      place(medallion(design.motifs[0], 400 / sectors, motifColors(palette, 1)), { y: -305 }) +
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
    rings(scene, recipes.alpona, 1, sectors),
    medallion(design.motifs[0], 88, motifColors(palette, 0)),
  ].join('')
}

/** A stem whose curvature grows towards its end. */
interface Vine {
  readonly from: Point
  /** Initial direction in degrees, 0 up, clockwise. */
  readonly heading: number
  readonly length: number
  /** Curvature at the start and the end, in degrees per unit; positive is clockwise. */
  readonly curvature: readonly [start: number, end: number]
  readonly leafSize: number
  readonly width: number
}

/** Distance of two points of a vine. */
const STEP = 6

/** Draws a vine with leaves on its outer side, which get smaller towards the end, and a berry at the end. */
function vine(shape: Vine, { primary, stroke }: MotifColors): string {
  const steps = trace(shape)
  const side = shape.curvature[1] > 0 ? -1 : 1
  const interval = Math.max(4, Math.round((shape.leafSize * 0.72) / STEP))
  const leaves = steps
    .filter(({ progress }, index) => index > 3 && index % interval === 0 && progress < 0.74)
    .map(({ point: [x, y], heading, progress }) => {
      const size = shape.leafSize * (1 - progress * 0.6)
      const blade = inked(petal(2, size, size * 0.46, 'leaf'), primary.base, stroke, 2)
      return place(blade, { x, y, angle: heading + side * 52 })
    })
  const points = steps.map(({ point }) => point)
  const end = points.at(-1) ?? shape.from
  return (
    leaves.join('') +
    path(`M${points.map(xy).join('L')}`, { stroke, width: shape.width }) +
    dots([end], shape.width * 1.9, stroke) +
    dots([end], shape.width * 1.1, primary.base)
  )
}

function trace({ from, heading, length, curvature }: Vine) {
  let [point, direction] = [from, heading]
  const count = Math.round(length / STEP)
  return Array.from({ length: count + 1 }, (_, index) => {
    const progress = index / count
    const step = { point, heading: direction, progress }
    direction += STEP * (curvature[0] + (curvature[1] - curvature[0]) * progress ** 2)
    const [x, y] = polar(STEP, direction)
    point = [point[0] + x, point[1] + y]
    return step
  })
}
