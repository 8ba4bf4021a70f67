import { petalBand, pointsOnCircle } from '../bands.ts'
import type { MotifColors } from '../color.ts'
import { medallion } from '../medallions.ts'
import { motifs } from '../motifs/catalog.ts'
import { motifColors } from '../palette.ts'
import type { Palette } from '../palette.ts'
import { cyclicAt } from '../random.ts'
import type { Scene } from '../scene.ts'
import { petal } from '../shapes.ts'
import { circle, dots, ellipse, mirrored, path, place, polar } from '../svg.ts'

/** Vertical position of the point from which the feathers spread. */
const BASE_Y = 250

/** Fan of a peacock: tiers of eyed feathers that spread from the bottom of the image. */
export function fan(scene: Scene): string {
  const { design, palette, random } = scene
  const isPeacock = design.motifs[0] === 'feather' || design.motifs[0] === 'peacock'
  const spread = random.between(104, 112)
  const tiers = [
    { reach: 690, count: 19, scale: 1.5 },
    { reach: 560, count: 17, scale: 1.32 },
    { reach: 430, count: 14, scale: 1.2 },
    { reach: 300, count: 11, scale: 1.05 },
  ]
  const feathers = tiers.map(({ reach, count, scale }, tier) => {
    const colors = isPeacock ? motifColors(palette, tier) : featherColors(palette, tier)
    return Array.from({ length: count }, (_, index) => {
      const angle = -spread + (index * 2 * spread) / (count - 1)
      return place(longFeather(reach, scale, colors), { y: BASE_Y, angle })
    }).join('')
  })
  const dotArcs = [722, 752, 786, 824].map((reach, index) =>
    place(dots(pointsOnCircle(reach, 72, (index % 2) * 2.5), 4 - index * 0.5, palette.stroke, 0.8), {
      y: BASE_Y,
    }),
  )
  return [...dotArcs, ...feathers, ...body(scene, isPeacock)].join('')
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
  const { design, palette } = scene
  const colors = motifColors(palette, 0)
  const ground = [
    path('M-512 512V452C-380 402 -190 388 0 388S380 402 512 452V512Z', {
      fill: palette.leaf.deep,
      stroke: palette.stroke,
      width: 3.5,
    }),
    ...Array.from({ length: 13 }, (_, index) => {
      const x = (index - 6) * 78
      return place(motifs.lotus.draw(motifColors(palette, 1)), { x, y: 448 + (x * x) / 9000, scale: 0.66 })
    }),
  ]
  if (!isPeacock) {
    const disc =
      petalBand({ inner: 150, outer: 200, count: 20 }, 'round', colors) +
      circle(0, 0, 154, { fill: palette.background, stroke: palette.stroke, width: 4 }) +
      medallion(design.motifs[0], 122, colors)
    return [...ground, place(disc, { y: BASE_Y - 40 })]
  }
  return [...ground, place(peacockFront(colors), { y: BASE_Y + 6 })]
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
      {
        fill: colors.primary.base,
        stroke: colors.stroke,
        width: 4,
      },
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
