import { onCircle, petalBand } from '../bands.ts'
import { medal } from '../centerpiece.ts'
import { motifs } from '../motifs/catalogue.ts'
import type { Palette } from '../palette.ts'
import { petal } from '../petal.ts'
import { at } from '../random.ts'
import { inkAt } from '../stage.ts'
import type { Ink, Stage } from '../stage.ts'
import { circle, dots, ellipse, mirrored, path, place, polar } from '../svg.ts'

const FOOT = 250

/** A peacock's fan: tiers of eyed feathers that open from the foot of the image. */
export function fan(stage: Stage): string {
  const { brief, palette, random } = stage
  const isPeacock = brief.motifs[0] === 'feather' || brief.motifs[0] === 'peacock'
  const spread = random.between(104, 112)
  const tiers = [
    { reach: 690, count: 19, scale: 1.5 },
    { reach: 560, count: 17, scale: 1.32 },
    { reach: 430, count: 14, scale: 1.2 },
    { reach: 300, count: 11, scale: 1.05 },
  ]
  const feathers = tiers.map(({ reach, count, scale }, tier) => {
    const ink = isPeacock ? inkAt(palette, tier) : plumage(palette, tier)
    return Array.from({ length: count }, (_, index) => {
      const angle = -spread + (index * 2 * spread) / (count - 1)
      return place(longFeather(reach, scale, ink), { y: FOOT, angle })
    }).join('')
  })
  const rain = [722, 752, 786, 824].map((reach, index) =>
    place(dots(onCircle(reach, 72, (index % 2) * 2.5), 4 - index * 0.5, palette.line, 0.8), { y: FOOT }),
  )
  return [...rain, ...feathers, ...body(stage, isPeacock)].join('')
}

/** Feathers of the palette's own powders, for a fan that is not a peacock's. */
function plumage(palette: Palette, tier: number): Ink {
  return { ...inkAt(palette, tier + 1), leaf: at(palette.fills, tier) }
}

function longFeather(reach: number, scale: number, ink: Ink): string {
  return (
    path(petal(60, reach, 62 * scale, 'drop'), { fill: ink.leaf.deep, stroke: ink.line, width: 1.6 }) +
    mirrored(path(barbs(reach), { stroke: ink.leaf.light, width: 1.5, opacity: 0.7 })) +
    path(`M0 -80V${-reach + 40}`, { stroke: ink.flame.light, width: 2.6 }) +
    place(featherEye(ink), { y: -reach + 46 * scale, scale })
  )
}

function barbs(reach: number): string {
  return Array.from({ length: 6 }, (_, index) => {
    const y = -reach + 104 + index * 15
    return `M0 ${y}L${20 - index * 1.4} ${y - 18}`
  }).join('')
}

function featherEye(ink: Ink): string {
  return (
    ellipse(0, 0, 25, 31, { fill: ink.flame.base, stroke: ink.line, width: 1.6 }) +
    ellipse(0, 2, 19, 24, { fill: ink.fill.light }) +
    ellipse(0, 5, 14, 18, { fill: ink.fill.base }) +
    path('M0 21C-13 17 -12 -4 -4 -6C-2 -6 -1 -4 0 -2C1 -4 2 -6 4 -6C12 -4 13 17 0 21Z', {
      fill: ink.second.deep,
    })
  )
}

/** The bird itself, or the subject on a shield, before the fan. */
function body(stage: Stage, isPeacock: boolean): readonly string[] {
  const { brief, palette } = stage
  const ink = inkAt(palette, 0)
  const stand = [
    path('M-512 512V452C-380 402 -190 388 0 388S380 402 512 452V512Z', {
      fill: palette.leaf.deep,
      stroke: palette.line,
      width: 3.5,
    }),
    ...Array.from({ length: 13 }, (_, index) => {
      const x = (index - 6) * 78
      return place(motifs.lotus.draw(inkAt(palette, 1)), { x, y: 448 + (x * x) / 9000, scale: 0.66 })
    }),
  ]
  if (!isPeacock) {
    const shield =
      petalBand({ inner: 150, outer: 200, count: 20 }, 'round', ink) +
      circle(0, 0, 154, { fill: palette.ground, stroke: palette.line, width: 4 }) +
      medal(brief.motifs[0], 122, ink)
    return [...stand, place(shield, { y: FOOT - 40 })]
  }
  return [...stand, place(peacockFront(ink), { y: FOOT + 6 })]
}

function peacockFront(ink: Ink): string {
  const crest = [-34, -17, 0, 17, 34].map((angle) => {
    const tip = polar(58, angle)
    return (
      path(`M0 0L${tip.map(Math.round).join(' ')}`, { stroke: ink.line, width: 3 }) +
      dots([tip], 7, ink.flame.light)
    )
  })
  return [
    path(
      'M0 -206C34 -206 44 -170 34 -140C26 -110 84 -70 84 10C84 90 46 142 0 142C-46 142 -84 90 -84 10C-84 -70 -26 -110 -34 -140C-44 -170 -34 -206 0 -206Z',
      {
        fill: ink.fill.base,
        stroke: ink.line,
        width: 4,
      },
    ),
    place(crest.join(''), { y: -200 }),
    ...[0, 1, 2, 3].flatMap((row) =>
      [-1, 0, 1].map((column) =>
        place(path('M-17 -8Q0 26 17 -8', { stroke: ink.fill.light, width: 3 }), {
          x: column * 34,
          y: -30 + row * 38,
        }),
      ),
    ),
    mirrored(
      path('M60 -30C104 -8 108 66 66 112C56 70 52 20 60 -30Z', {
        fill: ink.third.base,
        stroke: ink.line,
        width: 3,
      }) +
        path('M70 -6C90 20 90 58 72 88', { stroke: ink.third.light, width: 3 }) +
        ellipse(16, -172, 9, 7, { fill: ink.line }) +
        circle(16, -172, 4, { fill: ink.ground }),
    ),
    path('M0 -168L9 -156L0 -134L-9 -156Z', { fill: ink.flame.base, stroke: ink.line, width: 2.4 }),
  ].join('')
}
