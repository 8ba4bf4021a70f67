import {
  type Band,
  beads,
  braidBand,
  circleOutline,
  disc,
  filledBand,
  garlandBand,
  petal,
  petalBand,
  type PetalTip,
  pointOnVine,
  pointsOnCircle,
  scallopBand,
  trellisBand,
  triangleBand,
  vine,
  type Vine,
} from '../shapes.ts'
import type { MotifColors, Swatch } from '../color.ts'
import { centerpiece, medallion, motifRing } from '../medallions.ts'
import { motifColors, type Palette } from '../palette.ts'
import { cyclicAt, type Random } from '../random.ts'
import { repeatCount, type Scene } from '../scene.ts'
import {
  around,
  circle,
  dots,
  linearGradient,
  mirrored,
  num,
  parsePoints,
  path,
  place,
  type Point,
  polar,
} from '../svg.ts'
import { isOrnament, type MotifName, motifNamed } from '../figures/catalog.ts'

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

const NICHE_INNER = 150
const NICHE_OUTER = 452

/** A few large petals, each with the subject in a niche, and smaller petals between them. */
export function blossom(scene: Scene): string {
  const { design, palette, random } = scene
  const count = nichesFor(design.order)
  const tip = random.pick<PetalTip>(['lotus', 'round', 'drop'])
  const width = ((2 * Math.PI * 330) / count) * (tip === 'lotus' ? 0.7 : 0.86)
  const second = design.motifs[1] ?? design.motifs[0]
  return [
    around(backPetal(scene, width), count, 180 / count),
    around(niche(scene, { width, tip }), count),
    around(place(medallion(second, 30, motifColors(palette, 2)), { y: -432 }), count, 180 / count),
    disc(NICHE_INNER + 36, palette.backgroundEdge, palette.stroke, 3.5),
    braidBand(
      { inner: NICHE_INNER + 8, outer: NICHE_INNER + 32, count: repeatCount(count, NICHE_INNER, 40) },
      motifColors(palette, 3),
    ),
    disc(NICHE_INNER + 4, motifColors(palette, 2).primary.deep, palette.stroke, 2.5),
    beads(NICHE_INNER - 6, repeatCount(count, NICHE_INNER, 17), 2.6, palette.stroke),
    circleOutline(NICHE_INNER - 16, palette.stroke, 1.4),
    centerpiece(scene, NICHE_INNER - 22, second),
  ].join('')
}

/** Returns 6 to 10 niches: fewer would not look like petals, more would be too narrow for the subject. */
function nichesFor(order: number): number {
  if (order < 6) return order * 2
  return order > 10 ? order / 2 : order
}

function backPetal({ palette }: Scene, width: number): string {
  const colors = motifColors(palette, 1)
  return (
    path(petal(NICHE_INNER, 476, width * 0.92, 'leaf'), {
      fill: colors.primary.deep,
      stroke: palette.stroke,
      width: 3,
    }) +
    path(petal(NICHE_INNER + 40, 452, width * 0.66, 'leaf'), { stroke: palette.stroke, width: 1.6 }) +
    dots([polar(322, 0), polar(346, 0), polar(368, 0)], 3.4, palette.stroke)
  )
}

function niche({ design, palette }: Scene, { width, tip }: { width: number; tip: PetalTip }): string {
  const colors = motifColors(palette, 0)
  const size = Math.min(width * 0.37, 76)
  const y = tip === 'drop' ? -356 : -330
  return (
    path(petal(NICHE_INNER - 40, NICHE_OUTER, width, tip), {
      fill: colors.primary.base,
      stroke: palette.stroke,
      width: 4,
    }) +
    path(petal(NICHE_INNER, NICHE_OUTER - 24, width * 0.86, tip), {
      fill: palette.backgroundEdge,
      stroke: palette.stroke,
      width: 2,
    }) +
    place(
      dots(pointsOnCircle(size + 9, 28), 2.4, colors.tertiary.base) +
        medallion(design.motifs[0], size, colors),
      { y },
    )
  )
}

/** Flower motifs. The rosette is a flower already, so its center prefers another motif. */
const FLOWERS: ReadonlySet<MotifName> = new Set(['lotus', 'marigold', 'jasmine', 'hibiscus', 'sunflower'])

/** One flower that fills the image: layers of petals around a medallion with the subject. */
export function rosette(scene: Scene): string {
  const { design, palette, random } = scene
  const count = design.order >= 10 ? design.order : design.order * 2
  const tip = random.pick<PetalTip>(['lotus', 'lotus', 'leaf', 'round'])
  const layers = [448, 372, 298, 226]
  const ripples = [330, 350, 432, 452]
    .map((radius) => circleOutline(radius, palette.backgroundTone, 3))
    .join('')
  const center = 104
  return [
    ripples,
    around(
      path(petal(240, 470, 116, 'leaf'), { fill: palette.leaf.deep, stroke: palette.stroke, width: 2 }),
      count,
      180 / count,
    ),
    ...layers.map((radius, layer) => petalLayer(scene, { radius, layer, count, tip })),
    disc(center + 22, motifColors(palette, 1).primary.deep, palette.stroke, 3),
    beads(center + 11, count * 2, 4.2, palette.stroke),
    disc(center, palette.background, palette.stroke, 3),
    dots(pointsOnCircle(center - 12, 36), 1.8, palette.stroke),
    medallion(
      design.motifs.find((name) => !FLOWERS.has(name) && !isOrnament(name)) ?? design.motifs[0],
      center - 24,
      motifColors(palette, 0),
    ),
  ].join('')
}

interface PetalLayer {
  readonly radius: number
  readonly layer: number
  readonly count: number
  readonly tip: PetalTip
}

function petalLayer({ palette }: Scene, { radius, layer, count, tip }: PetalLayer): string {
  const { light, base, deep } = cyclicAt(palette.swatches, layer)
  const gradient = linearGradient(layer % 2 === 0 ? [light, base, deep] : [base, light, deep])
  const inner = 60
  const width = ((2 * Math.PI * radius) / count) * (tip === 'lotus' ? 0.86 : 1.02)
  const length = radius - inner
  const vein = (spread: number, reach: number) => {
    const [x, y] = [num(width * spread), num(-inner - length * reach)]
    return `M0 ${num(-inner - length * 0.3)}Q${x} ${num(-inner - length * (reach - 0.3))} ${x} ${y}`
  }
  return (
    gradient.definition +
    around(
      path(petal(inner, radius, width, tip), { fill: gradient.fill, stroke: palette.stroke, width: 2.8 }) +
        path(`M0 ${num(-inner)}V${num(-inner - length * 0.82)}`, {
          stroke: palette.stroke,
          width: 1.4,
          opacity: 0.8,
        }) +
        mirrored(
          path(vein(0.12, 0.78) + vein(0.24, 0.68), { stroke: palette.stroke, width: 1.2, opacity: 0.65 }),
        ) +
        dots([[0, -radius + length * 0.12]], 3, palette.stroke),
      count,
      layer % 2 === 0 ? 0 : 180 / count,
    )
  )
}

/** Alpona of Bengal: tendrils that grow out of a lotus and curl towards the edge. */
export function alpona(scene: Scene): string {
  const { design, palette, random } = scene
  const sectors = sectorsFor(design.order)
  const colors = motifColors(palette, 0)
  const curl = random.between(0.9, 1.25)
  const sectorAngle = 360 / sectors
  const stem: Vine = {
    from: [0, -160],
    heading: sectorAngle * 0.3,
    length: 520 - sectors * 8,
    curvature: [-0.09, curl * 2.6],
    leafSize: 66 - sectors * 2.5,
    width: 5.5,
  }
  const fork = pointOnVine(stem, 0.3)
  const branch: Vine = {
    from: fork.point,
    heading: fork.heading - 30,
    length: 250 - sectors * 6,
    curvature: [-0.1, -curl * 5],
    leafSize: 38,
    width: 4,
  }
  return [
    around(mirrored(vine(branch, motifColors(palette, 1)) + vine(stem, colors)), sectors),
    around(
      place(motifNamed(symmetricMotif(scene)).draw(motifColors(palette, 2)), {
        y: -424,
        scale: sectors > 6 ? 0.7 : 0.84,
      }),
      sectors,
    ),
    around(dots(parsePoints('0,-452 0,-468'), 5, palette.stroke), sectors, 180 / sectors),
    around(place(lobeMotif(scene), { y: -305, scale: 7.4 / sectors + 0.05 }), sectors, 180 / sectors),
    petalBand({ inner: 112, outer: 196, count: sectors * (sectors > 6 ? 2 : 3) }, 'lotus', colors),
    disc(120, palette.background, palette.stroke, 3.5),
    beads(107, sectors * 6, 3, palette.stroke),
    circleOutline(96, palette.stroke, 1.6),
    medallion(design.motifs[0], 80, colors),
  ].join('')
}

/** Returns 5 to 8 sectors, so that the tendrils have space to curl and fill it. */
function sectorsFor(order: number): number {
  if (order < 5) return order * 2
  return order > 8 ? order / 2 : order
}

function lobeMotif({ design, palette }: Scene): string {
  return medallion(design.motifs[0], 52, motifColors(palette, 1))
}

/** Returns a secondary motif that can be drawn on the axis between two curls. */
function symmetricMotif({ design }: Scene): MotifName {
  return design.motifs.find((name, index) => index > 0 && !motifNamed(name).isDirectional) ?? 'lotus'
}

const BED_INNER = 112
const BED_OUTER = 416

/** Radius of a flower head. */
const HEAD_RADIUS = 9.4

/** Pookalam of Kerala: a carpet of flower heads in stars or arcs of one color each. */
export function pookalam(scene: Scene): string {
  const { design, palette, random } = scene
  const pattern = random.pick([starPattern, petalPattern, spokePattern])
  const beds = palette.swatches.map((): Point[] => [])
  for (let row = 0; ; row++) {
    const radius = BED_INNER + HEAD_RADIUS + row * HEAD_RADIUS * 1.86
    if (radius > BED_OUTER - HEAD_RADIUS) break
    const count = repeatCount(design.order * 2, radius, HEAD_RADIUS * 2)
    for (let index = 0; index < count; index++) {
      const angle = ((index + (row % 2) / 2) * 360) / count
      const sector = (((angle * design.order) / 360) % 1) * 2
      const swing = Math.abs(sector - 1)
      const color = pattern((radius - BED_INNER) / (BED_OUTER - BED_INNER), swing)
      beds[color % beds.length]?.push(polar(radius, angle))
    }
  }
  return [
    circle(0, 0, BED_OUTER + 26, { fill: palette.backgroundEdge, opacity: 0.5 }),
    petalBand(
      { inner: BED_OUTER - 8, outer: BED_OUTER + 34, count: repeatCount(design.order, BED_OUTER, 46) },
      'leaf',
      leafColors(scene),
    ),
    disc(BED_OUTER + 2, motifColors(palette, 0).primary.deep),
    ...beds.map((bed, index) => flowerHeads(bed, cyclicAt(palette.swatches, index))),
    disc(BED_INNER, palette.background, palette.stroke, 3.5),
    beads(BED_INNER - 11, repeatCount(design.order, BED_INNER, 18), 3.2, palette.stroke),
    medallion(design.motifs[0], BED_INNER - 26, motifColors(palette, 0)),
  ].join('')
}

/**
 * Selects the color of a flower head.
 *
 * @param out position from the inner edge, 0, to the outer edge, 1
 * @param swing position within a sector: 0 on its axis, 1 between two sectors
 * @returns an index into the palette's swatches
 */
type Pattern = (out: number, swing: number) => number

const starPattern: Pattern = (out, swing) => {
  const edge = out + swing * 0.34
  if (edge < 0.26) return 0
  if (edge < 0.34) return 2
  if (edge < 0.6) return 1
  if (edge < 0.68) return 2
  if (edge < 0.98) return 3
  if (edge < 1.06) return 2
  return 4
}

const petalPattern: Pattern = (out, swing) => {
  if (out > 0.9) return 0
  const bulge = Math.sin(Math.min(1, out / 0.88) * Math.PI) ** 0.8
  if (swing < bulge * 0.3) return 1
  if (swing < bulge * 0.62) return 0
  if (swing < bulge * 0.86) return 2
  return out < 0.45 ? 4 : 3
}

const spokePattern: Pattern = (out, swing) => {
  const ring = Math.floor(out * 5)
  if (out - ring / 5 < 0.045) return 2
  return (ring + (swing < 0.5 ? 0 : 1) + (ring % 2) * 2) % 5
}

function flowerHeads(bed: readonly Point[], { light, base, deep }: Swatch): string {
  return (
    dots(bed, HEAD_RADIUS, deep) + dots(bed, HEAD_RADIUS * 0.78, base) + dots(bed, HEAD_RADIUS * 0.34, light)
  )
}

function leafColors({ palette }: Scene): MotifColors {
  return { ...motifColors(palette, 0), primary: palette.leaf, secondary: palette.leaf }
}
