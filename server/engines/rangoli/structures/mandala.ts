import {
  beads,
  braidBand,
  disc,
  garlandBand,
  hoop,
  petalBand,
  ribbon,
  scallopBand,
  toothBand,
  trellisBand,
} from '../bands.ts'
import type { Band } from '../bands.ts'
import { centrepiece } from '../centerpiece.ts'
import { motifRing } from '../motif-ring.ts'
import type { Palette } from '../palette.ts'
import type { Random } from '../random.ts'
import { inkAt } from '../stage.ts'
import type { Ink, Stage } from '../stage.ts'
import { firmCount } from '../rhythm.ts'

/** Rings within rings around a decisive centre; the subject goes around in the widest one. */
export function mandala(stage: Stage): string {
  const { brief, palette, random } = stage
  const [subject, second] = [brief.motifs[0], brief.motifs[1] ?? brief.motifs[0]]
  const heroInner = random.between(188, 206)
  const heroOuter = random.between(326, 344)
  const field = fieldFor(palette, random)
  const count = (radius: number, size: number) => firmCount(brief.order, radius, size)
  return [
    fringe({ inner: heroOuter + 30, outer: 436, count: count(400, 74) }, inkAt(palette, 0), random),
    disc(heroOuter + 30, palette.ground, palette.line, 3),
    braidBand(
      { inner: heroOuter + 2, outer: heroOuter + 28, count: count(heroOuter, 52) },
      inkAt(palette, 2),
    ),
    disc(heroOuter, field, palette.line, 3),
    beads(heroOuter - 9, count(heroOuter, 22), 2.6, palette.line),
    motifRing(stage, { motif: subject, inner: heroInner + 8, outer: heroOuter - 20, ink: inkAt(palette, 0) }),
    disc(heroInner, palette.ground, palette.line, 3),
    filled(
      { inner: heroInner - 44, outer: heroInner - 4, count: count(heroInner, 44) },
      inkAt(palette, 3),
      random,
    ),
    disc(heroInner - 46, inkAt(palette, 1).fill.deep, palette.line, 2.5),
    hoop(heroInner - 54, palette.line, 1.4),
    centrepiece(stage, heroInner - 60, second),
  ].join('')
}

/** What lies under the subjects: a shade that neither their main powder, their leaves nor the lines sink into. */
function fieldFor({ fills, groundTone, isDark }: Palette, random: Random): string {
  if (random.chance(0.35)) return groundTone
  const [{ powder: subject }, ...others] = fills
  const field = others.find(({ powder: { l, c, h } }) => {
    const isLeafy = c > 0.05 && h > 105 && h < 180
    const shade = isDark ? l - 0.16 : Math.min(0.96, l + 0.13)
    return c > 0.07 && !isLeafy && Math.abs(shade - subject.l) > 0.24
  })
  return (isDark ? field?.deep : field?.light) ?? groundTone
}

function fringe(band: Band, ink: Ink, random: Random): string {
  return random.pick([
    () => petalBand(band, 'lotus', ink),
    () => petalBand(band, 'round', ink),
    () => scallopBand({ ...band, outer: band.outer - 12 }, ink),
    () => petalBand(band, 'leaf', ink),
  ])()
}

function filled(band: Band, ink: Ink, random: Random): string {
  return random.pick([
    () => toothBand(band, ink),
    () => trellisBand(band, ink),
    () => garlandBand(band, ink),
    () => ribbon(band, ink.fill.base) + braidBand(band, ink),
    () => petalBand(band, 'round', ink),
  ])()
}
