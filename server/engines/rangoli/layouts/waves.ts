import type { Swatch } from '../color.ts'
import { medallion } from '../medallions.ts'
import { isOrnament, type MotifName, motifNamed } from '../figures/catalog.ts'
import { motifColors, type Palette } from '../palette.ts'
import { type Scene, stepsTo } from '../scene.ts'
import { around, circle, dots, mirrored, num, path, place, type Placement, type Point } from '../svg.ts'
import { cyclicAt, type NonEmpty } from '../random.ts'

/** Number of bands of water in a square image. */
const BANDS = 7

/** Height of the sky above the middle of the image; a higher image has more water. */
const MAX_SKY_HEIGHT = 760

/** Motifs that are drawn in the water. */
const SWIMMING_MOTIFS: ReadonlySet<MotifName> = new Set(['fish', 'turtle', 'jellyfish'])

/** Motifs that are drawn on the water. */
const FLOATING_MOTIFS: ReadonlySet<MotifName> = new Set(['boat', 'fish', 'lotus', 'turtle', 'diya', 'palm'])

/** Bands of water under a rising disc, symmetric about the vertical axis. */
export function waves(scene: Scene): string {
  const { design, random, canvas } = scene
  const crests = random.pick([6, 8, 10])
  const squareTop = random.between(-60, 10)
  const top = squareTop - Math.max(0, canvas.halfHeight - MAX_SKY_HEIGHT)
  const bottom = canvas.halfHeight + 48
  const count = BANDS + Math.round((bottom - top - (560 - squareTop)) / 82)
  const floating = design.motifs.find((name) => FLOATING_MOTIFS.has(name))
  const swimming = design.motifs.find((name) => SWIMMING_MOTIFS.has(name))
  const bands = Array.from({ length: count }, (_, index) => {
    const y = top + index * ((bottom - top) / count)
    const floatingPairs =
      floating !== undefined && index % 8 === 1
        ? pairs(scene, floating, { x: 352, y: y - 62, scale: 1.9 })
        : ''
    const swimmingPairs =
      swimming !== undefined && index % 4 === 1 && index > 1
        ? pairs(scene, swimming, { x: 176, y: y - 34, scale: 1.15 })
        : ''
    return (index === 1 ? floatingPairs : swimmingPairs) + waveBand(scene, { y, index, crests })
  })
  return [sky(scene, top), ...bands].join('')
}

function sky(scene: Scene, top: number): string {
  const { design, palette, canvas } = scene
  const y = top - 170
  const colors = motifColors(palette, 0)
  const halos = [520, 455, 392, 332, 276].map((radius, index) =>
    circle(0, y, radius, {
      fill: index % 2 === 0 ? palette.backgroundTone : palette.background,
      opacity: 0.55,
    }),
  )
  const subject = design.motifs.find((name) => name !== 'wave') ?? design.motifs[0]
  const sunDisc =
    around(
      path('M-16 -206L0 -262L16 -206Z', { fill: palette.flame.base, stroke: palette.stroke, width: 2 }),
      24,
    ) +
    around(circle(0, -226, 4.5, { fill: palette.stroke }), 24, 7.5) +
    circle(0, 0, 204, { fill: colors.tertiary.base, stroke: palette.stroke, width: 4 }) +
    around(circle(0, -188, 5, { fill: palette.stroke }), 48) +
    circle(0, 0, 172, { fill: palette.flame.light, stroke: palette.stroke, width: 3 }) +
    circle(0, 0, 158, { fill: palette.background, stroke: palette.stroke, width: 2 }) +
    medallion(subject, 126, colors)
  const reach = Math.round(Math.max(900, Math.hypot(canvas.halfWidth, canvas.halfHeight + y)))
  const rays = around(path(`M0 -300V-${reach}`, { stroke: palette.stroke, width: 1.6, dash: '0.1 14' }), 48)
  return halos.join('') + place(rays + sunDisc, { y }) + mirrored(skyMotifs(scene, y))
}

/** Motifs in the sky next to the disc, two in a square image; the caller mirrors them. */
function skyMotifs({ design, palette, canvas }: Scene, y: number): string {
  const motif =
    design.motifs.find((name) => ['star', 'bird', 'cloud', 'kite', 'balloon'].includes(name)) ??
    design.motifs.findLast(isOrnament) ??
    design.motifs[0]
  const motifAt = (x: number, dy: number, scale: number) =>
    place(motifNamed(motif).draw(motifColors(palette, 1)), {
      x,
      y: y + dy,
      scale,
      flip: motifNamed(motif).isDirectional,
    })
  const atSides = Array.from(
    { length: Math.max(0, Math.floor((canvas.halfWidth - 500) / 150)) },
    (_, index) => motifAt(556 + index * 150, index % 2 === 0 ? -226 : -96, index % 2 === 0 ? 0.95 : 1.15),
  )
  const above = Array.from(
    { length: Math.max(0, Math.floor((canvas.halfHeight + y - 360) / 130)) },
    (_, index) => motifAt(index % 2 === 0 ? 404 : 250, -350 - index * 120, index % 2 === 0 ? 1 : 0.8),
  )
  return [motifAt(404, -120, 1.2), motifAt(300, -222, 0.8), ...atSides, ...above].join('')
}

interface WaveBand {
  readonly y: number
  readonly index: number
  readonly crests: number
}

function waveBand({ design, palette, canvas }: Scene, { y, index, crests }: WaveBand): string {
  const { fill, light } = waterAt(waterSwatches(palette, design.backgroundColor !== undefined), index)
  const length = 1024 / crests
  const shift = index % 2 === 0 ? 0 : length / 2
  const swing = 15 + Math.min(index, 8) * 1.6
  const half = Math.ceil(canvas.halfWidth / length - 0.01)
  const crestsAt = stepsTo(half + 1).map((step) => step * length + shift)
  const line = (offset: number) => {
    const start = `M${num(crestsAt[0] ?? -512)} ${num(y - swing + offset)}`
    const run = crestsAt.map((x) => {
      const [crest, trough] = [num(y - swing + offset), num(y + swing + offset)]
      return `C${num(x + length * 0.18)} ${crest} ${num(x + length * 0.32)} ${trough} ${num(x + length * 0.5)} ${trough}S${num(x + length * 0.82)} ${crest} ${num(x + length)} ${crest}`
    })
    return start + run.join('')
  }
  const scales = crestsAt.map((x): Point => [x, y - swing + 44 + Math.min(index, 8) * 2])
  const [bottom, left] = [num(canvas.halfHeight + 88), num(-canvas.halfWidth - 188)]
  return (
    path(`${line(0)}V${bottom}H${left}Z`, { fill, stroke: palette.stroke, width: 4 }) +
    path(line(13), { stroke: light, width: 3 }) +
    path(line(24), { stroke: palette.stroke, width: 1.6, dash: '0.1 9' }) +
    (index % 2 === 0
      ? foamDots(scales, palette.stroke, light)
      : scales.map((point) => curl(point, palette.stroke)).join(''))
  )
}

/** Chooses the swatches of the water: a color that the prompt names, else a blue, and a similar one. */
function waterSwatches({ swatches }: Palette, isColorNamed: boolean): readonly [near: Swatch, far: Swatch] {
  const blue = swatches.find(({ color }) => color.c > 0.04 && color.h > 175 && color.h < 285)
  const near = isColorNamed ? swatches[0] : (blue ?? swatches[0])
  const isSimilar = ({ color }: Swatch) => color.c > 0.04 && Math.abs(color.h - near.color.h) < 75
  return [near, swatches.find((swatch) => swatch !== near && isSimilar(swatch)) ?? near]
}

/** Colors of a band of water, which get darker towards the viewer. */
function waterAt(
  [near, far]: readonly [Swatch, Swatch],
  index: number,
): { readonly fill: string; readonly light: string } {
  const tones: NonEmpty<string> = [far.light, near.light, far.base, near.base, far.deep, near.deep, near.base]
  const tone = index < tones.length ? index : 4 + ((index - tones.length) % 3)
  return { fill: cyclicAt(tones, tone), light: index % 2 === 0 ? near.light : far.light }
}

function foamDots(points: readonly Point[], stroke: string, light: string): string {
  return (
    dots(points, 5, stroke) + points.map(([x, y]) => circle(x, y, 13, { stroke: light, width: 2.6 })).join('')
  )
}

/** Breaking crest that curls towards the center. */
function curl([x, y]: Point, stroke: string): string {
  const crest = path('M-40 2C-26 -36 22 -38 27 -6C29 14 5 18 3 3C2 -6 12 -8 14 -1', { stroke, width: 3.4 })
  return place(crest, { x, y: y + 4, scale: 0.86, flip: x > 0 })
}

/** Draws a motif on each side, facing the center, and more of them towards the ends of a wide image. */
function pairs({ palette, canvas }: Scene, motif: MotifName, placement: Placement & { x: number }): string {
  const { draw, isDirectional } = motifNamed(motif)
  const count = 1 + Math.max(0, Math.floor((canvas.halfWidth - 90 - placement.x) / 330))
  const copies = Array.from({ length: count }, (_, index) => {
    const x = placement.x + index * 330
    return place(draw(motifColors(palette, 2 + index)), { ...placement, x, flip: isDirectional })
  })
  return mirrored(copies.join(''))
}
