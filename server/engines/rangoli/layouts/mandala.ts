import {
  beads,
  braidBand,
  circleOutline,
  disc,
  filledBand,
  garlandBand,
  petalBand,
  scallopBand,
  trellisBand,
  triangleBand,
} from '../bands.ts'
import type { Band } from '../bands.ts'
import type { MotifColors } from '../color.ts'
import { centerpiece, motifRing } from '../medallions.ts'
import { motifColors } from '../palette.ts'
import type { Palette } from '../palette.ts'
import type { Random } from '../random.ts'
import { repeatCount } from '../scene.ts'
import type { Scene } from '../scene.ts'

/** Concentric rings around a centerpiece, with the subject in the widest ring. */
export function mandala(scene: Scene): string {
  const { design, palette, random } = scene
  const [subject, second] = [design.motifs[0], design.motifs[1] ?? design.motifs[0]]
  const subjectInner = random.between(188, 206)
  const subjectOuter = random.between(326, 344)
  const field = chooseField(palette, random)
  const count = (radius: number, size: number) => repeatCount(design.order, radius, size)
  return [
    outerBand(
      { inner: subjectOuter + 30, outer: 436, count: count(400, 74) },
      motifColors(palette, 0),
      random,
    ),
    disc(subjectOuter + 30, palette.background, palette.stroke, 3),
    braidBand(
      { inner: subjectOuter + 2, outer: subjectOuter + 28, count: count(subjectOuter, 52) },
      motifColors(palette, 2),
    ),
    disc(subjectOuter, field, palette.stroke, 3),
    beads(subjectOuter - 9, count(subjectOuter, 22), 2.6, palette.stroke),
    motifRing(scene, {
      motif: subject,
      inner: subjectInner + 8,
      outer: subjectOuter - 20,
      colors: motifColors(palette, 0),
    }),
    disc(subjectInner, palette.background, palette.stroke, 3),
    innerBand(
      { inner: subjectInner - 44, outer: subjectInner - 4, count: count(subjectInner, 44) },
      motifColors(palette, 3),
      random,
    ),
    disc(subjectInner - 46, motifColors(palette, 1).primary.deep, palette.stroke, 2.5),
    circleOutline(subjectInner - 54, palette.stroke, 1.4),
    centerpiece(scene, subjectInner - 60, second),
  ].join('')
}

/** Chooses a fill under the subjects that contrasts with their primary color, their leaves and the stroke. */
function chooseField({ swatches, backgroundTone, isDark }: Palette, random: Random): string {
  if (random.chance(0.35)) return backgroundTone
  const [{ color: subject }, ...others] = swatches
  const field = others.find(({ color: { l, c, h } }) => {
    const isGreen = c > 0.05 && h > 105 && h < 180
    const shade = isDark ? l - 0.16 : Math.min(0.96, l + 0.13)
    return c > 0.07 && !isGreen && Math.abs(shade - subject.l) > 0.24
  })
  return (isDark ? field?.deep : field?.light) ?? backgroundTone
}

function outerBand(band: Band, colors: MotifColors, random: Random): string {
  return random.pick([
    () => petalBand(band, 'lotus', colors),
    () => petalBand(band, 'round', colors),
    () => scallopBand({ ...band, outer: band.outer - 12 }, colors),
    () => petalBand(band, 'leaf', colors),
  ])()
}

function innerBand(band: Band, colors: MotifColors, random: Random): string {
  return random.pick([
    () => triangleBand(band, colors),
    () => trellisBand(band, colors),
    () => garlandBand(band, colors),
    () => filledBand(band, colors.primary.base) + braidBand(band, colors),
    () => petalBand(band, 'round', colors),
  ])()
}
