import { bands, disc, petal, type PetalTip } from '../shapes.ts'
import type { Swatch } from '../color.ts'
import { isOrnament, type MotifName, motifNamed } from '../figures/catalog.ts'
import { facetedStar, outline, stationsOn } from '../frame.ts'
import { medallion, motifRing, recipes, rings } from '../medallions.ts'
import { motifColors } from '../palette.ts'
import { cyclicAt, type NonEmpty, type Random } from '../random.ts'
import { longHalf, repeatCount, type Scene } from '../scene.ts'
import {
  around,
  circle,
  dots,
  gradient,
  inked,
  mirrored,
  num,
  path,
  place,
  type Point,
  polar,
  polygon,
} from '../svg.ts'

// Layouts around a center.

/** Concentric rings, with the subject in the widest one. Of some mandalas a petal is missing, or a figure left the ring. */
export function mandala(scene: Scene): string {
  const { design, palette, random } = scene
  const [subject, second = subject] = design.motifs
  const { outside, inside } = random.pick(recipes.mandalas)
  const flaw = random.pick(['petal', 'figure', 'none', 'none'] as const)
  const [first, ...others] = outside
  return [
    rings(scene, [...(first ? [{ ...first, hasGap: flaw === 'petal' }] : []), ...others]),
    rings(scene, recipes.mandalaField),
    motifRing(scene, {
      motif: subject,
      inner: 206,
      outer: 330,
      colors: motifColors(palette, 0),
      hasGap: flaw === 'figure',
    }),
    rings(scene, inside),
    rings(scene, recipes.mandalaCenter),
    medallion(second, 70, motifColors(palette, 0)),
    flaw === 'figure'
      ? place(motifNamed(subject).draw(motifColors(palette, 0)), { x: 396, y: -396, angle: 24, scale: 0.9 })
      : '',
  ].join('')
}

/** Flower motifs. The rosette is a flower already, so its center prefers another motif. */
const FLOWERS: ReadonlySet<MotifName> = new Set(['lotus', 'marigold', 'jasmine', 'hibiscus', 'sunflower'])

/** One flower that fills the image: layers of petals around a medallion with the subject. */
export function rosette(scene: Scene): string {
  const { design, palette, random } = scene
  const count = design.order >= 10 ? design.order : design.order * 2
  const tip = random.pick<PetalTip>(['lotus', 'lotus', 'leaf', 'round'])
  const missing = random.chance(0.3) ? 1 : -1
  const sepal = inked(petal(240, 476, 116, 'leaf'), palette.leaf.deep, palette.stroke, 2)
  const layers = [448, 372, 298, 226].map((radius, layer) => {
    const { light, base, deep } = cyclicAt(palette.swatches, layer % 3)
    const fade = gradient('linear', layer % 2 === 0 ? [light, base, deep] : [base, light, deep])
    const [inner, length] = [60, radius - 60]
    const width = ((2 * Math.PI * radius) / count) * (tip === 'lotus' ? 0.86 : 1.02)
    const veins = [0.12, 0.24].map((spread) => {
      const [x, reach] = [num(width * spread), 0.88 - spread]
      return `M0 ${num(-inner - length * 0.3)}Q${x} ${num(-inner - length * (reach - 0.3))} ${x} ${num(-inner - length * reach)}`
    })
    const content =
      inked(petal(inner, radius, width, tip), fade.fill, palette.stroke, 2.8) +
      mirrored(path(veins.join(''), { stroke: palette.stroke, width: 1.2, opacity: 0.65 })) +
      dots([[0, -radius + length * 0.12]], 3, palette.stroke)
    return (
      fade.definition + around(content, count, layer % 2 === 0 ? 0 : 180 / count, layer === 0 ? missing : -1)
    )
  })
  const center = design.motifs.find((name) => !FLOWERS.has(name) && !isOrnament(name)) ?? design.motifs[0]
  return [
    around(sepal, count, 180 / count),
    ...layers,
    rings(scene, recipes.rosette),
    medallion(center, 84, motifColors(palette, 0)),
  ].join('')
}

/** Rays to the edges under faceted stars, with the subject large in the center. */
export function starburst(scene: Scene): string {
  const { design, palette, canvas } = scene
  const points = design.order >= 8 ? design.order : design.order * 2
  const colors = motifColors(palette, 0)
  const end = Math.hypot(canvas.halfWidth, canvas.halfHeight) + 30
  const half = 45 / points
  const ray = polygon([polar(100, -half), polar(end, -half), polar(end, half), polar(100, half)])
  const circles = Array.from({ length: Math.ceil((longHalf(canvas) + 200 - 500) / 46) }, (_, index) =>
    rings(scene, [{ inner: 500 + index * 46, outer: 508 + index * 46, band: 'beads', size: 64 }], 1, points),
  )
  return [
    outline(canvas, 0, { fill: palette.backgroundEdge }),
    around(path(ray, { fill: palette.backgroundTone }), points * 2),
    ...circles,
    place(facetedStar(points, 256, 486, motifColors(palette, 1).primary, palette.stroke), {
      angle: 180 / points,
    }),
    facetedStar(points, 240, 440, colors.primary, palette.stroke),
    rings(scene, recipes.starburst, 1, points),
    medallion(design.motifs[0], 149, colors),
    ...stationsOn(canvas, 480, 330).map(({ x, y, space, index }) => {
      const radius = Math.min(space / 2, 180)
      const star =
        facetedStar(12, radius * 0.58, radius, motifColors(palette, index + 1).primary, palette.stroke) +
        disc(radius * 0.58, palette.background, palette.stroke, 3) +
        medallion(design.motifs[1] ?? design.motifs[0], radius * 0.46, motifColors(palette, index))
      return place(star, { x, y })
    }),
  ].join('')
}

/** Radius of a flower head. */
const HEAD = 9.4

/** Selects the swatch of a flower head, `out` from the middle, 0, to the edge, 1, and `swing` from an axis, 0, to the next one. */
type Pattern = (out: number, swing: number) => number

const carpets: NonEmpty<Pattern> = [
  (out, swing) =>
    [0, 2, 1, 2, 3, 2, 4][
      [0.26, 0.34, 0.6, 0.68, 0.98, 1.06, 9].findIndex((edge) => out + swing * 0.34 < edge)
    ] ?? 0,
  (out, swing) => {
    const bulge = Math.sin(Math.min(1, out / 0.88) * Math.PI) ** 0.8
    if (out > 0.9 || (swing >= bulge * 0.3 && swing < bulge * 0.62)) return 0
    if (swing < bulge * 0.3) return 1
    return swing < bulge * 0.86 ? 2 : 3
  },
  (out, swing) => (Math.floor(out * 5) + (swing < 0.5 ? 0 : 1) + (Math.floor(out * 5) % 2) * 2) % 5,
]

/** Pookalam of Kerala: a carpet of flower heads in stars or arcs of one color each. */
export function pookalam(scene: Scene): string {
  const { design, palette, random } = scene
  const pattern = random.pick(carpets)
  const [from, to] = [112, 416]
  const beds = palette.swatches.map((): Point[] => [])
  for (let radius = from + HEAD, row = 0; radius < to - HEAD; radius += HEAD * 1.86, row++) {
    const count = repeatCount(design.order * 2, radius, HEAD * 2)
    for (let index = 0; index < count; index++) {
      const angle = ((index + (row % 2) / 2) * 360) / count
      const swing = Math.abs((((angle * design.order) / 360) % 1) * 2 - 1)
      beds[pattern((radius - from) / (to - from), swing) % beds.length]?.push(polar(radius, angle))
    }
  }
  const leaves = { ...motifColors(palette, 0), primary: palette.leaf, secondary: palette.leaf }
  return [
    bands.leaf({ inner: to - 8, outer: to + 36, count: repeatCount(design.order, to, 46) }, leaves),
    disc(to + 2, palette.swatches[0].deep),
    ...beds.map((bed, index) => {
      const { light, base, deep } = cyclicAt(palette.swatches, index)
      return dots(bed, HEAD, deep) + dots(bed, HEAD * 0.78, base) + dots(bed, HEAD * 0.34, light)
    }),
    rings(scene, recipes.pookalam),
    medallion(design.motifs[0], from - 26, motifColors(palette, 0)),
  ].join('')
}

/**
 * Growth as of the seeds of a sunflower: each a divergence angle further than the last, golden or not, up to the corners.
 * Seeds grow with their distance, and the subject is in the middle.
 */
export function growth(scene: Scene): string {
  const { design, palette, canvas, random } = scene
  // Near the golden angle, spirals interlock; others form arms, as many as the denominator of a close fraction.
  const divergence = random.pick([137.508, 137.508, 99.502, 137.3, 136.2, 222.9, 151.1])
  const reach = Math.hypot(canvas.halfWidth, canvas.halfHeight)
  const core = 176
  const spacing = random.between(17, 19)
  const kind = random.pick(['petal', 'head', 'lotus'] as const)
  const arms = random.pick([5, 8, 13])
  const seeds: string[] = []
  const first = Math.floor((core / spacing) ** 2)
  const shapes = palette.swatches.map(({ light, base, deep }, index) => {
    const [tip, width] = kind === 'lotus' ? (['lotus', 20] as const) : (['drop', 26] as const)
    const shape =
      kind === 'head'
        ? circle(0, 0, 15, { fill: deep }) +
          circle(0, 0, 11.5, { fill: base }) +
          circle(0, 0, 5, { fill: light })
        : inked(petal(-20, 20, width, tip), base, palette.stroke, 1.6) +
          path(petal(-14, 6, width * 0.5, tip), { fill: index % 2 === 0 ? light : deep })
    return { id: `seed${index}`, shape }
  })
  for (let index = first; ; index++) {
    // Distances grow faster than the square root, so that seeds get larger and fewer.
    const radius = spacing * Math.sqrt(first) * (index / first) ** 0.66
    if (radius > reach + 40) break
    const angle = index * divergence
    const [x, y] = polar(radius, angle)
    if (Math.abs(x) > canvas.halfWidth + 40 || Math.abs(y) > canvas.halfHeight + 40) continue
    const scale = 0.86 * (radius / core) ** 0.5
    const band = Math.floor(((radius - core) / reach) * 5.2)
    const color = (index % arms < arms / 2 ? band : band + 2) % shapes.length
    seeds.push(
      `<use href="#seed${color}" transform="translate(${num(x)} ${num(y)})rotate(${Math.round(angle % 360)})scale(${scale.toFixed(2)})"/>`,
    )
  }
  return [
    outline(canvas, 0, { fill: palette.backgroundEdge }),
    `<defs>${shapes.map(({ id, shape }) => `<g id="${id}">${shape}</g>`).join('')}</defs>`,
    // The outer ones are below.
    ...seeds.toReversed(),
    rings(scene, recipes.growth),
    medallion(design.motifs[0], 124, motifColors(palette, 0)),
  ].join('')
}

/** Thrown Holi powder: clouds of every color that burst from the center, under a small rangoli. */
export function splash(scene: Scene): string {
  const { design, palette, random, canvas } = scene
  const centers: readonly Point[] = [[0, 0], ...stationsOn(canvas, 500, 560).map(({ x, y }): Point => [x, y])]
  const clouds = centers.flatMap((center, burst) =>
    palette.swatches.flatMap((swatch, index) =>
      [0, 1].map((half) => {
        const angle = ((index + half * palette.swatches.length) * 180) / palette.swatches.length + burst * 30
        return { center, swatch, angle, random: random.fork(`cloud ${burst} ${index} ${half}`) }
      }),
    ),
  )
  return [
    ...clouds.map(haze),
    ...clouds.map(jet),
    ...centers.map(([x, y], index) =>
      place(
        rings(scene, recipes.splash) +
          motifRing(scene, {
            motif: design.motifs[index === 0 ? 0 : 1] ?? design.motifs[0],
            inner: 150,
            outer: 238,
            colors: motifColors(palette, index),
          }) +
          rings(scene, recipes.splashCenter) +
          medallion(design.motifs[1] ?? design.motifs[0], 68, motifColors(palette, 2)),
        { x, y, scale: index === 0 ? 1 : 0.72 },
      ),
    ),
  ].join('')
}

interface Cloud {
  readonly center: Point
  readonly swatch: Swatch
  /** Direction in degrees. */
  readonly angle: number
  readonly random: Random
}

/** Soft outer part of a cloud. */
function haze({ center: [x, y], angle, swatch, random }: Cloud): string {
  const soft = gradient('radial', [swatch.base, `${swatch.base}d0`, `${swatch.base}00`])
  const puffs = Array.from({ length: 5 }, () => {
    const [dx, dy] = polar(random.between(240, 560), angle + random.between(-16, 16))
    return circle(x + dx, y + dy, random.between(90, 190), { fill: soft.fill })
  })
  return soft.definition + puffs.join('')
}

/** Dense core of a cloud, which shrinks towards the edge, and specks around it. */
function jet({ center: [x, y], angle, swatch, random }: Cloud): string {
  const reach = random.between(400, 540)
  const scatter = (count: number, from: number, to: number, spread: number) =>
    Array.from({ length: count }, (): Point => {
      const [dx, dy] = polar(
        from + (to - from) * random.between(0, 1) ** 0.7,
        angle + random.between(-spread, spread),
      )
      return [x + dx, y + dy]
    })
  return [
    [30, 200, reach - 160, 10, 14] as const,
    [18, 220, reach - 60, 24, 15] as const,
    [14, 240, reach, 12, 16] as const,
    [40, 260, 690, 4.4, 18] as const,
    [70, 260, 720, 2.2, 19] as const,
  ]
    .map(([count, from, to, size, spread], index) =>
      dots(scatter(count, from, to, spread), size, index % 2 === 0 ? swatch.base : swatch.light),
    )
    .join('')
}
