import { outline } from '../frame.ts'
import { motifNamed } from '../figures/catalog.ts'
import { roundel } from '../medallions.ts'
import { motifColors } from '../palette.ts'
import { type Scene, stepsTo } from '../scene.ts'
import { petal, pointsOnCircle } from '../shapes.ts'
import { dots, ellipse, inked, mirrored, num, path, place, polar } from '../svg.ts'
import type { MotifColors } from '../color.ts'

/** Fan of a peacock: tiers of eyed feathers that spread from the bottom of the image, up to its corners. */
export function fan(scene: Scene): string {
  const { design, palette, random, canvas } = scene
  const { halfWidth, halfHeight } = canvas
  const base = halfHeight - 262
  const isPeacock = ['feather', 'peacock'].includes(design.motifs[0])
  const spread = random.between(104, 112)
  const end = Math.max(690, halfHeight > halfWidth ? 2 * halfHeight - 334 : halfWidth + 178)
  const count = Math.max(4, Math.round((end - 160) / 132))
  // One of a fan has lost a feather.
  const lost = random.chance(0.3) ? random.integer(3, 6) : -1
  const feathers = Array.from({ length: count }, (_, index) => {
    const tier = count - 1 - index
    const reach = 300 + (tier * (end - 300)) / (count - 1)
    const scale = Math.min(1.62, 0.72 + reach / 880)
    const colors = motifColors(palette, tier + 1)
    const feather = longFeather(reach, scale, isPeacock ? colors : { ...colors, leaf: colors.secondary })
    const number = Math.max(11, 1 + 2 * Math.round(reach / 74))
    const angles = Array.from({ length: number }, (__, at) => -spread + (at * 2 * spread) / (number - 1))
    const visible = angles.filter((angle, at) => {
      const [x, y] = polar(reach - 330, angle)
      return Math.abs(x) < halfWidth && y + base > -halfHeight - 60 && !(tier === 1 && at === lost)
    })
    return visible.map((angle) => place(feather, { y: base, angle })).join('')
  })
  const arcs = [32, 62, 96, 134].map((beyond, index) =>
    place(dots(pointsOnCircle(end + beyond, 72, (index % 2) * 2.5), 4 - index * 0.5, palette.stroke, 0.8), {
      y: base,
    }),
  )
  const [near, far] = [num(halfWidth * 0.37), num(halfWidth)]
  const [top, edge, bottom] = [124, 60, 0].map((height) => num(halfHeight - height))
  const ground = `M-${far} ${bottom ?? ''}V${edge ?? ''}Q-${near} ${top ?? ''} 0 ${top ?? ''}Q${near} ${top ?? ''} ${far} ${edge ?? ''}V${bottom ?? ''}Z`
  return [
    outline(canvas, 0, { fill: palette.background }),
    ...arcs,
    ...feathers,
    inked(ground, palette.leaf.deep, palette.stroke, 3.5),
    ...stepsTo(Math.ceil(halfWidth / 78)).map((step) => {
      const [x, y] = [step * 78, halfHeight - 60 + (40 * (step * 78) ** 2) / halfWidth ** 2]
      return place(motifNamed('lotus').draw(motifColors(palette, 1)), { x, y, scale: 0.66 })
    }),
    isPeacock
      ? place(motifNamed('peacock-front').draw(motifColors(palette, 0)), { y: base - 58, scale: 4.1 })
      : place(roundel(scene, design.motifs[0], 210, 1, 0), { y: base - 40 }),
  ].join('')
}

function longFeather(
  reach: number,
  scale: number,
  { primary, secondary, leaf, flame, stroke }: MotifColors,
): string {
  const barbs = Array.from({ length: 6 }, (_, index) => {
    const y = num(-reach + 104 + index * 15)
    return `M0 ${y}l${num(20 - index * 1.4)} -18`
  })
  const eye =
    ellipse(0, 0, 25, 31, { fill: flame.base, stroke, width: 1.6 }) +
    ellipse(0, 2, 19, 24, { fill: primary.light }) +
    ellipse(0, 5, 14, 18, { fill: primary.base }) +
    path('M0 21C-13 17 -12 -4 -4 -6C-2 -6 -1 -4 0 -2C1 -4 2 -6 4 -6C12 -4 13 17 0 21Z', {
      fill: secondary.deep,
    })
  return (
    inked(petal(60, reach, 62 * scale, 'drop'), leaf.deep, stroke, 1.6) +
    mirrored(path(barbs.join(''), { stroke: leaf.light, width: 1.5, opacity: 0.7 })) +
    path(`M0 -80V${num(-reach + 40)}`, { stroke: flame.light, width: 2.6 }) +
    place(eye, { y: -reach + 46 * scale, scale })
  )
}
