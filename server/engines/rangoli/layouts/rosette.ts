import { beads, circleOutline, disc, pointsOnCircle } from '../bands.ts'
import { medallion } from '../medallions.ts'
import { isOrnament } from '../motifs/catalog.ts'
import type { MotifName } from '../motifs/catalog.ts'
import { motifColors } from '../palette.ts'
import { cyclicAt } from '../random.ts'
import type { Scene } from '../scene.ts'
import { petal } from '../shapes.ts'
import type { PetalTip } from '../shapes.ts'
import { around, dots, linearGradient, mirrored, num, path } from '../svg.ts'

/** Flower motifs. The rosette is a flower already, so its center prefers another motif. */
const FLOWERS: ReadonlySet<MotifName> = new Set(['lotus', 'marigold', 'jasmine', 'hibiscus', 'sunflower'])

/** One flower that fills the image: layers of petals around a medallion with the subject. */
export function rosette(scene: Scene): string {
  const { design, palette, random } = scene
  const count = design.order >= 10 ? design.order : design.order * 2
  const tip = random.pick<PetalTip>(['lotus', 'lotus', 'leaf', 'round'])
  const layers = [448, 372, 298, 226]
  const ripples = [330, 350, 432, 452]
    .map((radius) => circleOutline(radius, palette.backgroundTone, 3))
    .join('')
  const center = 104
  return [
    ripples,
    around(
      path(petal(240, 470, 116, 'leaf'), { fill: palette.leaf.deep, stroke: palette.stroke, width: 2 }),
      count,
      180 / count,
    ),
    ...layers.map((radius, layer) => petalLayer(scene, { radius, layer, count, tip })),
    disc(center + 22, motifColors(palette, 1).primary.deep, palette.stroke, 3),
    beads(center + 11, count * 2, 4.2, palette.stroke),
    disc(center, palette.background, palette.stroke, 3),
    dots(pointsOnCircle(center - 12, 36), 1.8, palette.stroke),
    medallion(
      design.motifs.find((name) => !FLOWERS.has(name) && !isOrnament(name)) ?? design.motifs[0],
      center - 24,
      motifColors(palette, 0),
    ),
  ].join('')
}

interface PetalLayer {
  readonly radius: number
  readonly layer: number
  readonly count: number
  readonly tip: PetalTip
}

function petalLayer({ palette }: Scene, { radius, layer, count, tip }: PetalLayer): string {
  const { light, base, deep } = cyclicAt(palette.swatches, layer)
  const gradient = linearGradient(layer % 2 === 0 ? [light, base, deep] : [base, light, deep])
  const inner = 60
  const width = ((2 * Math.PI * radius) / count) * (tip === 'lotus' ? 0.86 : 1.02)
  const length = radius - inner
  const vein = (spread: number, reach: number) => {
    const [x, y] = [num(width * spread), num(-inner - length * reach)]
    return `M0 ${num(-inner - length * 0.3)}Q${x} ${num(-inner - length * (reach - 0.3))} ${x} ${y}`
  }
  return (
    gradient.definition +
    around(
      path(petal(inner, radius, width, tip), { fill: gradient.fill, stroke: palette.stroke, width: 2.8 }) +
        path(`M0 ${num(-inner)}V${num(-inner - length * 0.82)}`, {
          stroke: palette.stroke,
          width: 1.4,
          opacity: 0.8,
        }) +
        mirrored(
          path(vein(0.12, 0.78) + vein(0.24, 0.68), { stroke: palette.stroke, width: 1.2, opacity: 0.65 }),
        ) +
        dots([[0, -radius + length * 0.12]], 3, palette.stroke),
      count,
      layer % 2 === 0 ? 0 : 180 / count,
    )
  )
}
