import { petal, petalBand, pointsOnCircle } from '../shapes.ts'
import type { MotifColors } from '../color.ts'
import { medallion } from '../medallions.ts'
import { motifNamed } from '../figures/catalog.ts'
import { motifColors, type Palette } from '../palette.ts'
import { cyclicAt } from '../random.ts'
import { stepsTo, type Canvas, type Scene } from '../scene.ts'
import { circle, dots, ellipse, mirrored, num, path, place, polar } from '../svg.ts'

/** Distance of the point from which the feathers spread from the bottom of the image. */
const BASE_HEIGHT = 262

/** Fan of a peacock: tiers of eyed feathers that spread from the bottom of the image. */
export function fan(scene: Scene): string {
  const { design, palette, random, canvas } = scene
  const baseY = canvas.halfHeight - BASE_HEIGHT
  const isPeacock = design.motifs[0] === 'feather' || design.motifs[0] === 'peacock'
  const spread = random.between(104, 112)
  const tiers = [
    ...outerTiers(canvas),
    { reach: 690, count: 19, scale: 1.5 },
    { reach: 560, count: 17, scale: 1.32 },
    { reach: 430, count: 14, scale: 1.2 },
    { reach: 300, count: 11, scale: 1.05 },
  ]
  const feathers = tiers.map(({ reach, count, scale }, tier) => {
    const color = tier + 4 - (tiers.length % 5)
    const colors = isPeacock ? motifColors(palette, color) : featherColors(palette, color)
    const isVisible = (angle: number) => {
      const [x, y] = polar(reach - 336, angle)
      return Math.abs(x) < canvas.halfWidth && Math.abs(y + baseY) < canvas.halfHeight + 60
    }
    const angles = Array.from({ length: count }, (_, index) => -spread + (index * 2 * spread) / (count - 1))
    return angles
      .filter((angle) => reach <= 690 || isVisible(angle))
      .map((angle) => place(longFeather(reach, scale, colors), { y: baseY, angle }))
      .join('')
  })
  const beyond = (tiers[0]?.reach ?? 0) - 690
  const dotArcs = [722, 752, 786, 824].map((reach, index) =>
    place(dots(pointsOnCircle(reach + beyond, 72, (index % 2) * 2.5), 4 - index * 0.5, palette.stroke, 0.8), {
      y: baseY,
    }),
  )
  return [...dotArcs, ...feathers, ...body(scene, isPeacock)].join('')
}

interface Tier {
  readonly reach: number
  readonly count: number
  readonly scale: number
}

/** Tiers behind those of a square image, the outermost first, which fill a longer one. */
function outerTiers({ halfWidth, halfHeight }: Canvas): readonly Tier[] {
  const end = halfHeight > halfWidth ? 2 * halfHeight - 334 : halfWidth + 178
  const count = Math.max(0, Math.round((end - 690) / 138))
  const step = (end - 690) / count
  return Array.from({ length: count }, (_, index) => {
    const reach = 690 + step * (count - index)
    return { reach, count: 1 + 2 * Math.round(reach / 72), scale: 1.62 }
  })
}

/** Colors of feathers without the peacock's green, for other subjects. */
function featherColors(palette: Palette, tier: number): MotifColors {
  return { ...motifColors(palette, tier + 1), leaf: cyclicAt(palette.swatches, tier) }
}

function longFeather(reach: number, scale: number, colors: MotifColors): string {
  return (
    path(petal(60, reach, 62 * scale, 'drop'), {
      fill: colors.leaf.deep,
      stroke: colors.stroke,
      width: 1.6,
    }) +
    mirrored(path(barbs(reach), { stroke: colors.leaf.light, width: 1.5, opacity: 0.7 })) +
    path(`M0 -80V${-reach + 40}`, { stroke: colors.flame.light, width: 2.6 }) +
    place(featherEye(colors), { y: -reach + 46 * scale, scale })
  )
}

function barbs(reach: number): string {
  return Array.from({ length: 6 }, (_, index) => {
    const y = -reach + 104 + index * 15
    return `M0 ${y}L${20 - index * 1.4} ${y - 18}`
  }).join('')
}

function featherEye(colors: MotifColors): string {
  return (
    ellipse(0, 0, 25, 31, { fill: colors.flame.base, stroke: colors.stroke, width: 1.6 }) +
    ellipse(0, 2, 19, 24, { fill: colors.primary.light }) +
    ellipse(0, 5, 14, 18, { fill: colors.primary.base }) +
    path('M0 21C-13 17 -12 -4 -4 -6C-2 -6 -1 -4 0 -2C1 -4 2 -6 4 -6C12 -4 13 17 0 21Z', {
      fill: colors.secondary.deep,
    })
  )
}

/** The peacock, or a medallion with another subject, in front of the fan. */
function body(scene: Scene, isPeacock: boolean): readonly string[] {
  const { design, palette, canvas } = scene
  const { halfWidth, halfHeight } = canvas
  const colors = motifColors(palette, 0)
  const sides = halfWidth / 512
  const [near, middle, far] = [190 * sides, 380 * sides, halfWidth].map(num)
  const [top, slope, edge, bottom] = [124, 110, 60, 0].map((height) => num(halfHeight - height))
  const lotuses = 6 + Math.ceil((halfWidth - 512) / 78)
  const ground = [
    path(
      `M-${far} ${bottom}V${edge}C-${middle} ${slope} -${near} ${top} 0 ${top}S${middle} ${slope} ${far} ${edge}V${bottom}Z`,
      { fill: palette.leaf.deep, stroke: palette.stroke, width: 3.5 },
    ),
    ...stepsTo(lotuses).map((step) => {
      const x = step * 78
      const y = halfHeight - 64 + (x / sides) ** 2 / 9000
      return place(motifNamed('lotus').draw(motifColors(palette, 1)), { x, y, scale: 0.66 })
    }),
  ]
  const baseY = halfHeight - BASE_HEIGHT
  if (!isPeacock) {
    const disc =
      petalBand({ inner: 150, outer: 200, count: 20 }, 'round', colors) +
      circle(0, 0, 154, { fill: palette.background, stroke: palette.stroke, width: 4 }) +
      medallion(design.motifs[0], 122, colors)
    return [...ground, place(disc, { y: baseY - 40 })]
  }
  return [...ground, place(peacockFront(colors), { y: baseY + 6 })]
}

function peacockFront(colors: MotifColors): string {
  const crest = [-34, -17, 0, 17, 34].map((angle) => {
    const tip = polar(58, angle)
    return (
      path(`M0 0L${tip.map(Math.round).join(' ')}`, { stroke: colors.stroke, width: 3 }) +
      dots([tip], 7, colors.flame.light)
    )
  })
  return [
    path(
      'M0 -206C34 -206 44 -170 34 -140C26 -110 84 -70 84 10C84 90 46 142 0 142C-46 142 -84 90 -84 10C-84 -70 -26 -110 -34 -140C-44 -170 -34 -206 0 -206Z',
      { fill: colors.primary.base, stroke: colors.stroke, width: 4 },
    ),
    place(crest.join(''), { y: -200 }),
    ...[0, 1, 2, 3].flatMap((row) =>
      [-1, 0, 1].map((column) =>
        place(path('M-17 -8Q0 26 17 -8', { stroke: colors.primary.light, width: 3 }), {
          x: column * 34,
          y: -30 + row * 38,
        }),
      ),
    ),
    mirrored(
      path('M60 -30C104 -8 108 66 66 112C56 70 52 20 60 -30Z', {
        fill: colors.tertiary.base,
        stroke: colors.stroke,
        width: 3,
      }) +
        path('M70 -6C90 20 90 58 72 88', { stroke: colors.tertiary.light, width: 3 }) +
        ellipse(16, -172, 9, 7, { fill: colors.stroke }) +
        circle(16, -172, 4, { fill: colors.background }),
    ),
    path('M0 -168L9 -156L0 -134L-9 -156Z', { fill: colors.flame.base, stroke: colors.stroke, width: 2.4 }),
  ].join('')
}
