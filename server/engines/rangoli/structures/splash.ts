import { beads, disc, hoop, onCircle, petalBand } from '../bands.ts'
import { medal } from '../centerpiece.ts'
import { motifRing } from '../motif-ring.ts'
import type { Swatch } from '../palette.ts'
import { at } from '../random.ts'
import type { Random } from '../random.ts'
import { inkAt } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { around, circle, dots, mirrored, path, polar, polygon, radialGradient } from '../svg.ts'
import type { Point } from '../svg.ts'

/** Half the clouds; the other half mirrors them. */
const CLOUDS = 9

/** Thrown powder: clouds of every colour that burst from the middle, a fine rangoli over their heart. */
export function splash(stage: Stage): string {
  const { palette, random } = stage
  const throws = Array.from({ length: CLOUDS }, (_, index) => ({
    angle: (index * 180) / (CLOUDS - 1),
    powder: at(palette.fills, index),
    chance: random.fork(`cloud ${index}`),
  }))
  return [
    mirrored(throws.map(({ angle, powder, chance }) => haze(angle, powder, chance)).join('')),
    mirrored(throws.map(({ angle, powder, chance }) => jet(angle, powder, chance)).join('')),
    mirrored(throws.map(({ angle, powder, chance }) => grains(angle, powder, chance)).join('')),
    heart(stage),
  ].join('')
}

/** The soft cloud around a throw. */
function haze(angle: number, powder: Swatch, chance: Random): string {
  const soft = radialGradient([powder.base, `${powder.base}d0`, `${powder.base}00`])
  const puffs = Array.from({ length: 5 }, () => {
    const [x, y] = polar(chance.between(240, 500), angle + chance.between(-12, 12))
    return circle(x, y, chance.between(80, 170), { fill: soft.fill })
  })
  return soft.definition + puffs.join('')
}

/** The dense middle of a throw: lobes that shrink on their way out. */
function jet(angle: number, powder: Swatch, chance: Random): string {
  const reach = chance.between(400, 520)
  const lobes = Array.from({ length: 16 }, (_, index) => {
    const share = index / 15
    const sway = (1 - share) * 5 + share * 9
    const [x, y] = polar(200 + (reach - 200) * share, angle + chance.between(-sway, sway))
    return circle(x, y, (46 - 36 * share) * chance.between(0.7, 1.15), {
      fill: index % 3 === 0 ? powder.light : powder.base,
    })
  })
  const flick = polygon([
    polar(220, angle - 9),
    polar(reach + 40, angle + chance.between(-2, 2)),
    polar(220, angle + 9),
  ])
  return path(flick, { fill: powder.base }) + lobes.join('')
}

function grains(angle: number, powder: Swatch, chance: Random): string {
  const scatter = (count: number): readonly Point[] =>
    Array.from({ length: count }, () =>
      polar(250 + 440 * Math.sqrt(chance.between(0, 1)), angle + chance.between(-17, 17)),
    )
  return (
    dots(scatter(60), 2.2, powder.base) +
    dots(scatter(24), 4.4, powder.light) +
    dots(scatter(9), 8, powder.base)
  )
}

function heart(stage: Stage): string {
  const { brief, palette } = stage
  const ink = inkAt(palette, 0)
  return [
    around(
      path('M-20 -262C-20 -300 20 -300 20 -262Z', { fill: palette.ground, stroke: palette.line, width: 3 }),
      40,
    ),
    dots(onCircle(275, 40), 4, palette.line),
    disc(264, palette.ground, palette.line, 4),
    hoop(254, palette.line, 2),
    motifRing(stage, { motif: brief.motifs[0], inner: 150, outer: 246, ink }),
    petalBand({ inner: 92, outer: 148, count: 16 }, 'lotus', inkAt(palette, 1)),
    disc(98, palette.ground, palette.line, 3),
    beads(87, 32, 2.6, palette.line),
    medal(brief.motifs[1] ?? brief.motifs[0], 70, inkAt(palette, 2)),
  ].join('')
}
