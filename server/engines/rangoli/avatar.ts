import { toHex } from './color.ts'
import { namedColors, type PaletteName, palettes } from './named-colors.ts'
import { createRandom, type NonEmpty } from './random.ts'
import { petal, type PetalTip, pointsOnCircle } from './shapes.ts'
import { around, circle, dots, path } from './svg.ts'

const orders: NonEmpty<number> = [6, 7, 8, 9, 10]
const tips: NonEmpty<PetalTip> = ['lotus', 'round', 'leaf', 'drop']
const allPalettes = Object.values(palettes) as unknown as NonEmpty<(typeof palettes)[PaletteName]>

/** Draws the avatar of a user as SVG: petals around a center that is left for an initial. The same for the same id. */
export function drawAvatar(id: string): string {
  const random = createRandom(`avatar/${id}`)
  const [, ...names] = random.pick(allPalettes)
  const [field = '', figure = '', second = '', third = '', accent = ''] = names.map((name) =>
    toHex(namedColors[name]),
  )
  const order = random.pick(orders)
  const step = 180 / order
  const outer = path(petal(18, 47, 265 / order, random.pick(tips)), { fill: figure })
  const inner = path(petal(18, 36, 200 / order, random.pick(tips)), { fill: second })
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 100 100" stroke-linecap="round">' +
    circle(0, 0, 50, { fill: field }) +
    around(outer, order) +
    around(inner, order, step) +
    dots(pointsOnCircle(43.5, order, step), 3, accent) +
    circle(0, 0, 25, { fill: third }) +
    '</svg>'
  )
}
