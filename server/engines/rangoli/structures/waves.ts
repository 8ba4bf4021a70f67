import { medal } from '../centerpiece.ts'
import { motifs } from '../motifs/catalogue.ts'
import type { MotifName } from '../names.ts'
import type { Palette, Swatch } from '../palette.ts'
import { at } from '../random.ts'
import type { NonEmpty } from '../random.ts'
import { inkAt } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { around, circle, dots, mirrored, num, path, place } from '../svg.ts'
import type { Placement, Point } from '../svg.ts'

const BANDS = 7
const AFLOAT: ReadonlySet<MotifName> = new Set(['boat', 'fish', 'lotus', 'turtle', 'diya', 'palm'])

/** Bands of water under a rising disc, left and right alike. */
export function waves(stage: Stage): string {
  const { brief, random } = stage
  const crests = random.pick([6, 8, 10])
  const top = random.between(-60, 10)
  const floating = brief.motifs.find((name) => AFLOAT.has(name)) ?? 'boat'
  const bands = Array.from({ length: BANDS }, (_, index) => {
    const y = top + index * ((560 - top) / BANDS)
    const rider = index === 1 ? rideOn(stage, floating, { x: 352, y: y - 62, scale: 1.9 }) : ''
    const swimmer = index === 5 ? rideOn(stage, 'fish', { x: 176, y: y - 34, scale: 1.15 }) : ''
    return rider + swimmer + waveBand(stage, { y, index, crests })
  })
  return [sky(stage, top), ...bands].join('')
}

function sky(stage: Stage, horizon: number): string {
  const { brief, palette } = stage
  const y = horizon - 170
  const ink = inkAt(palette, 0)
  const hoops = [520, 455, 392, 332, 276].map((radius, index) =>
    circle(0, y, radius, { fill: index % 2 === 0 ? palette.groundTone : palette.ground, opacity: 0.55 }),
  )
  const subject = brief.motifs.find((name) => name !== 'wave') ?? 'sun'
  const disc =
    around(
      path('M-16 -206L0 -262L16 -206Z', { fill: palette.flame.base, stroke: palette.line, width: 2 }),
      24,
    ) +
    around(circle(0, -226, 4.5, { fill: palette.line }), 24, 7.5) +
    circle(0, 0, 204, { fill: ink.third.base, stroke: palette.line, width: 4 }) +
    around(circle(0, -188, 5, { fill: palette.line }), 48) +
    circle(0, 0, 172, { fill: palette.flame.light, stroke: palette.line, width: 3 }) +
    circle(0, 0, 158, { fill: palette.ground, stroke: palette.line, width: 2 }) +
    medal(subject, 126, ink)
  const rays = around(path('M0 -300V-900', { stroke: palette.line, width: 1.6, dash: '0.1 14' }), 48)
  return hoops.join('') + place(rays + disc, { y }) + mirrored(flock(stage, y))
}

/** What hangs in the sky on both sides of the disc. */
function flock({ brief, palette }: Stage, y: number): string {
  const above =
    brief.motifs.find((name) => ['star', 'bird', 'cloud', 'kite', 'balloon'].includes(name)) ?? 'bird'
  const piece = (x: number, dy: number, scale: number) =>
    place(motifs[above].draw(inkAt(palette, 1)), { x, y: y + dy, scale, flip: motifs[above].isSided })
  return piece(404, -120, 1.2) + piece(300, -222, 0.8)
}

interface WaveBand {
  readonly y: number
  readonly index: number
  readonly crests: number
}

function waveBand({ brief, palette }: Stage, { y, index, crests }: WaveBand): string {
  const { fill, light } = waterAt(waterPowders(palette, brief.groundColour !== undefined), index)
  const length = 1024 / crests
  const shift = index % 2 === 0 ? 0 : length / 2
  const swing = 15 + index * 1.6
  const crestsAt = Array.from({ length: crests + 3 }, (_, crest) => (crest - crests / 2 - 1) * length + shift)
  const line = (offset: number) => {
    const start = `M${num(crestsAt[0] ?? -512)} ${num(y - swing + offset)}`
    const run = crestsAt.map((x) => {
      const [crest, trough] = [num(y - swing + offset), num(y + swing + offset)]
      return `C${num(x + length * 0.18)} ${crest} ${num(x + length * 0.32)} ${trough} ${num(x + length * 0.5)} ${trough}S${num(x + length * 0.82)} ${crest} ${num(x + length)} ${crest}`
    })
    return start + run.join('')
  }
  const scales = crestsAt.map((x): Point => [x, y - swing + 44 + index * 2])
  return (
    path(`${line(0)}V600H-700Z`, { fill, stroke: palette.line, width: 4 }) +
    path(line(13), { stroke: light, width: 3 }) +
    path(line(24), { stroke: palette.line, width: 1.6, dash: '0.1 9' }) +
    (index % 2 === 0
      ? foamDots(scales, palette.line, light)
      : scales.map((point) => curl(point, palette.line)).join(''))
  )
}

/** What the water is made of: the prompt's own colour, else a blue if there is one, and a neighbour of it. */
function waterPowders({ fills }: Palette, isColourNamed: boolean): readonly [near: Swatch, far: Swatch] {
  const blue = fills.find(({ powder }) => powder.c > 0.04 && powder.h > 175 && powder.h < 285)
  const near = isColourNamed ? fills[0] : (blue ?? fills[0])
  const isNeighbour = ({ powder }: Swatch) => powder.c > 0.04 && Math.abs(powder.h - near.powder.h) < 75
  return [near, fills.find((swatch) => swatch !== near && isNeighbour(swatch)) ?? near]
}

/** From light at the horizon to deep at the shore. */
function waterAt(
  [near, far]: readonly [Swatch, Swatch],
  index: number,
): { readonly fill: string; readonly light: string } {
  const tones: NonEmpty<string> = [far.light, near.light, far.base, near.base, far.deep, near.deep, near.base]
  return { fill: at(tones, index), light: index % 2 === 0 ? near.light : far.light }
}

function foamDots(points: readonly Point[], line: string, light: string): string {
  return (
    dots(points, 5, line) + points.map(([x, y]) => circle(x, y, 13, { stroke: light, width: 2.6 })).join('')
  )
}

/** A crest that breaks towards the middle. */
function curl([x, y]: Point, line: string): string {
  const crest = path('M-40 2C-26 -36 22 -38 27 -6C29 14 5 18 3 3C2 -6 12 -8 14 -1', {
    stroke: line,
    width: 3.4,
  })
  return place(crest, { x, y: y + 4, scale: 0.86, flip: x > 0 })
}

/** A pair on the water, one on each side. */
function rideOn({ palette }: Stage, motif: MotifName, spot: Placement): string {
  const { draw, isSided } = motifs[motif]
  return mirrored(place(draw(inkAt(palette, 2)), { ...spot, flip: isSided }))
}
