import type { Brief } from './brief.ts'
import { frame } from './frame.ts'
import { ground } from './ground.ts'
import { mixPalette } from './palette.ts'
import { createRandom } from './random.ts'
import { structures } from './structures/catalogue.ts'

/** Side of the image in pixels. */
const SIDE = 1024

/** The image as an SVG document: floor, frame, and the structure over both. */
export function compose(brief: Brief): string {
  const random = createRandom(brief.seed)
  const palette = mixPalette(brief, random.fork('palette'))
  const stage = { brief, palette, random: random.fork('structure') }
  const { draw, frame: edge } = structures[brief.structure]
  const box = `${-SIDE / 2} ${-SIDE / 2} ${SIDE} ${SIDE}`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="${box}"`,
    ` stroke-linecap="round" stroke-linejoin="round">`,
    ground(palette),
    edge === 'none' ? '' : frame({ ...stage, random: random.fork('frame') }, edge === 'border and corners'),
    draw(stage),
    `</svg>`,
  ].join('')
}
