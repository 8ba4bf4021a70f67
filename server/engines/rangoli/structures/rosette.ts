import { beads, disc, hoop, onCircle } from '../bands.ts'
import { medal } from '../centerpiece.ts'
import type { MotifName } from '../names.ts'
import { petal } from '../petal.ts'
import type { PetalTip } from '../petal.ts'
import { at } from '../random.ts'
import { inkAt } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { around, dots, linearGradient, mirrored, num, path } from '../svg.ts'

/** The rosette is a flower already; its eye shows something else where it can. */
const FLOWERS: ReadonlySet<MotifName> = new Set(['lotus', 'marigold', 'jasmine', 'hibiscus', 'sunflower'])

/** One flower that fills the image: layer on layer of petals, the subject in its eye. */
export function rosette(stage: Stage): string {
  const { brief, palette, random } = stage
  const count = brief.order >= 10 ? brief.order : brief.order * 2
  const tip = random.pick<PetalTip>(['lotus', 'lotus', 'leaf', 'round'])
  const layers = [448, 372, 298, 226]
  const ripples = [330, 350, 432, 452].map((radius) => hoop(radius, palette.groundTone, 3)).join('')
  const eye = 104
  return [
    ripples,
    around(
      path(petal(240, 470, 116, 'leaf'), { fill: palette.leaf.deep, stroke: palette.line, width: 2 }),
      count,
      180 / count,
    ),
    ...layers.map((radius, layer) => petalLayer(stage, { radius, layer, count, tip })),
    disc(eye + 22, inkAt(palette, 1).fill.deep, palette.line, 3),
    beads(eye + 11, count * 2, 4.2, palette.line),
    disc(eye, palette.ground, palette.line, 3),
    dots(onCircle(eye - 12, 36), 1.8, palette.line),
    medal(brief.motifs.find((name) => !FLOWERS.has(name)) ?? brief.motifs[0], eye - 24, inkAt(palette, 0)),
  ].join('')
}

interface PetalLayer {
  readonly radius: number
  readonly layer: number
  readonly count: number
  readonly tip: PetalTip
}

function petalLayer({ palette }: Stage, { radius, layer, count, tip }: PetalLayer): string {
  const { light, base, deep } = at(palette.fills, layer)
  const shade = linearGradient(layer % 2 === 0 ? [light, base, deep] : [base, light, deep])
  const inner = 60
  const width = ((2 * Math.PI * radius) / count) * (tip === 'lotus' ? 0.86 : 1.02)
  const length = radius - inner
  const vein = (spread: number, share: number) => {
    const [x, y] = [num(width * spread), num(-inner - length * share)]
    return `M0 ${num(-inner - length * 0.3)}Q${x} ${num(-inner - length * (share - 0.3))} ${x} ${y}`
  }
  return (
    shade.definition +
    around(
      path(petal(inner, radius, width, tip), { fill: shade.fill, stroke: palette.line, width: 2.8 }) +
        path(`M0 ${num(-inner)}V${num(-inner - length * 0.82)}`, {
          stroke: palette.line,
          width: 1.4,
          opacity: 0.8,
        }) +
        mirrored(
          path(vein(0.12, 0.78) + vein(0.24, 0.68), { stroke: palette.line, width: 1.2, opacity: 0.65 }),
        ) +
        dots([[0, -radius + length * 0.12]], 3, palette.line),
      count,
      layer % 2 === 0 ? 0 : 180 / count,
    )
  )
}
