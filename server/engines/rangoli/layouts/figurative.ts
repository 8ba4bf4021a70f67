import { beads, circleOutline, disc, petal, petalBand, scallopBand, starPoints } from '../shapes.ts'
import type { MotifColors } from '../color.ts'
import type { Subject } from '../design.ts'
import { type MotifName, motifNamed, type MotifStyle } from '../figures/catalog.ts'
import { motifColors, type Palette } from '../palette.ts'
import { cyclicAt, type Random } from '../random.ts'
import { repeatCount, type Canvas, type Scene } from '../scene.ts'
import {
  around,
  circle,
  copiesAt,
  dots,
  linearGradient,
  num,
  path,
  place,
  type Placement,
  type Point,
  polar,
  polygon,
  rect,
} from '../svg.ts'

// Layouts that show the figures of a prompt large, and as many as it counts.

/** Draws a figure with its center at a point, `size` units high. */
function figure(
  name: MotifName,
  colors: MotifColors,
  { size, ...placement }: Placement & { readonly size: number },
  style: MotifStyle = {},
): string {
  // Outlines get no thicker than those of ornaments.
  const outline = Math.min(3.4, 680 / size)
  return place(motifNamed(name).draw(colors, { outline, ...style }), { ...placement, scale: size / 100 })
}

/** The figures to show: as many of each as the prompt counts, nine at most. */
function crowd(subjects: readonly Subject[], fallback: MotifName): readonly MotifName[] {
  const all = subjects.flatMap(({ motif, count }) => Array<MotifName>(count).fill(motif))
  return all.length > 0 ? all.slice(0, 9) : [fallback]
}

interface Ornament {
  readonly kind: string
  readonly width: number
  readonly height: number
  readonly content: string
}

/** Fill of an ornament as Gond and Madhubani painters use it: dots, hatching, scales or waves. */
function ornament(palette: Palette, random: Random): { readonly fill: string; readonly definition: string } {
  const ink = palette.isDark ? '#1d1430' : palette.stroke
  const { kind, width, height, content } = random.pick<Ornament>([
    { kind: 'plain', width: 1, height: 1, content: '' },
    { kind: 'dots', width: 1.6, height: 1.6, content: `<circle cx=".8" cy=".8" r=".28" fill="${ink}"/>` },
    {
      kind: 'hatching',
      width: 1.2,
      height: 1.2,
      content: `<path d="M0 1.2L1.2 0" stroke="${ink}" stroke-width=".16"/>`,
    },
    {
      kind: 'scales',
      width: 2,
      height: 1,
      content: `<path d="M0 0A1 1 0 0 0 2 0M-1 .5A1 1 0 0 0 1 .5A1 1 0 0 0 3 .5" stroke="${ink}" stroke-width=".16"/>`,
    },
    {
      kind: 'waves',
      width: 2,
      height: 1,
      content: `<path d="M0 .5Q.5 0 1 .5T2 .5" stroke="${ink}" stroke-width=".18"/>`,
    },
  ])
  const id = `o-${kind}`
  const size = `width="${width}" height="${height}" patternUnits="userSpaceOnUse"`
  return {
    fill: `url(#${id})`,
    definition: `<defs><pattern id="${id}" ${size} opacity=".34" fill="none">${content}</pattern></defs>`,
  }
}

/** One figure over half the height of the image, before a halo of rays and petals. */
export function portrait(scene: Scene): string {
  const { design, palette, random } = scene
  const [subject = { motif: design.motifs[0], count: 1 }] = design.subjects
  const { fill, definition } = ornament(palette, random.fork('ornament'))
  const radius = 372
  return [
    definition,
    backdrop(scene),
    halo(scene, radius),
    figure(
      subject.motif,
      motifColors(palette, 0),
      { size: random.between(560, 620), y: 6 },
      { ornament: fill },
    ),
  ].join('')
}

/** Rings around the subject of a portrait. */
function halo({ design, palette, random }: Scene, radius: number): string {
  const [outer, inner] = [motifColors(palette, 1), motifColors(palette, 3)]
  const count = (size: number) => repeatCount(design.order, radius, size)
  const crown = random.pick([
    () => petalBand({ inner: radius - 8, outer: radius + 92, count: count(88) }, 'lotus', outer),
    () => petalBand({ inner: radius - 8, outer: radius + 84, count: count(70) }, 'leaf', outer),
    () => scallopBand({ inner: radius - 4, outer: radius + 62, count: count(76) }, outer),
    () => rays(radius, count(60), outer),
  ])()
  const field = palette.isDark ? palette.backgroundEdge : palette.backgroundTone
  return [
    crown,
    disc(radius, inner.primary.base, palette.stroke, 4),
    beads(radius - 14, count(30), 4, palette.stroke),
    disc(radius - 28, field, palette.stroke, 3),
    random.chance(0.6)
      ? petalBand({ inner: radius - 96, outer: radius - 36, count: count(46) }, 'round', inner)
      : '',
    disc(radius - 92, palette.backgroundTone, palette.stroke, 2.5),
    circleOutline(radius - 104, palette.stroke, 1.4),
  ].join('')
}

function rays(radius: number, count: number, colors: MotifColors): string {
  const long = path(
    polygon([polar(radius - 6, -180 / count), polar(radius + 96, 0), polar(radius - 6, 180 / count)]),
    {
      fill: colors.primary.base,
      stroke: colors.stroke,
      width: 2.4,
    },
  )
  const short = path(petal(radius - 6, radius + 58, 18, 'drop'), {
    fill: colors.flame.base,
    stroke: colors.stroke,
    width: 2,
  })
  return around(long, count) + around(short, count, 180 / count)
}

/** Small stars, dots or flowers over the whole background, but for its middle. */
function backdrop({ canvas, palette, random }: Scene): string {
  const pitch = random.between(76, 104)
  const item = random.pick([
    () => path(polygon(starPoints(4, 13, 4)), { fill: palette.backgroundTone }),
    () => circle(0, 0, 7, { fill: palette.backgroundTone }),
    () => around(path(petal(3, 17, 12, 'round'), { fill: palette.backgroundTone }), 5),
    () => path('M-12 0Q0 -16 12 0Q0 16 -12 0Z', { fill: palette.backgroundTone }),
  ])()
  return copiesAt(item, latticePoints(canvas, pitch, 340))
}

function latticePoints({ halfWidth, halfHeight }: Canvas, pitch: number, hole: number): readonly Point[] {
  const [columns, rows] = [Math.ceil(halfWidth / pitch), Math.ceil(halfHeight / pitch)]
  return Array.from({ length: 2 * columns + 1 }, (_, x) =>
    Array.from({ length: 2 * rows + 1 }, (__, y): Point => [(x - columns) * pitch, (y - rows) * pitch]),
  )
    .flat()
    .filter(([x, y], index) => index % 2 === 0 && Math.hypot(x, y) > hole)
}

/** Two figures that face each other below an arch, on a border of petals. */
export function pair(scene: Scene): string {
  const { design, palette, canvas, random } = scene
  const [left, right = left] = crowd(design.subjects, design.motifs[0])
  const first = left ?? design.motifs[0]
  const second = right ?? first
  const size = Math.min(480, canvas.halfWidth * 0.9)
  const gap = size * 0.5
  const { fill, definition } = ornament(palette, random.fork('ornament'))
  const y = 96
  const tree = place(
    petalBand({ inner: 34, outer: 82, count: 10 }, 'lotus', motifColors(palette, 2)) +
      disc(36, palette.flame.base, palette.stroke, 2.5),
    { y: -canvas.halfHeight + 236 },
  )
  return [
    definition,
    arch(scene),
    tree,
    figure(first, motifColors(palette, 0), { size, x: -gap, y }, { ornament: fill }),
    figure(
      second,
      motifColors(palette, second === first ? 0 : 2),
      { size, x: gap, y, flip: true },
      { ornament: fill },
    ),
    footing(scene, y + size / 2 + 8),
  ].join('')
}

/** Pointed arch from edge to edge, with a border of scallops. */
function arch({ canvas: { halfWidth, halfHeight }, palette }: Scene): string {
  const [x, top, shoulder] = [halfWidth - 84, -halfHeight + 84, -halfHeight + 330]
  const outline = (inset: number) =>
    `M${num(-x + inset)} ${num(halfHeight)}V${num(shoulder)}C${num(-x + inset)} ${num(top + 96 + inset)} ${num(-x * 0.34)} ${num(top + 92 + inset)} 0 ${num(top + inset)}C${num(x * 0.34)} ${num(top + 92 + inset)} ${num(x - inset)} ${num(top + 96 + inset)} ${num(x - inset)} ${num(shoulder)}V${num(halfHeight)}Z`
  const frame = motifColors(palette, 1)
  return (
    rect(-halfWidth, -halfHeight, 2 * halfWidth, 2 * halfHeight, { fill: frame.primary.deep }) +
    copiesAt(circle(0, 0, 9, { fill: frame.primary.base }), latticePoints({ halfWidth, halfHeight }, 38, 0)) +
    path(outline(-14), { fill: palette.backgroundEdge, stroke: palette.stroke, width: 4 }) +
    path(outline(2), { fill: palette.background, stroke: palette.flame.base, width: 9 }) +
    path(outline(18), { stroke: palette.stroke, width: 2 })
  )
}

/** Ground below figures: a row of petals over a band. */
function footing({ canvas: { halfWidth, halfHeight }, palette }: Scene, y: number): string {
  const colors = motifColors(palette, 1)
  const pitch = 62
  const count = Math.ceil((2 * halfWidth) / pitch)
  const points = Array.from({ length: count + 1 }, (_, index): Point => [(index - count / 2) * pitch, y + 22])
  const leaf = path('M-31 0C-31 -34 -12 -40 0 -58C12 -40 31 -34 31 0Z', {
    fill: palette.leaf.base,
    stroke: palette.stroke,
    width: 2.6,
  })
  return (
    copiesAt(leaf, points) +
    rect(-halfWidth, y + 20, 2 * halfWidth, halfHeight - y, {
      fill: colors.primary.deep,
      stroke: palette.stroke,
      width: 3,
    }) +
    dots(
      points.flatMap(([x]): readonly Point[] => [
        [x, y + 54],
        [x + pitch / 2, y + 84],
      ]),
      6,
      colors.primary.light,
    )
  )
}

/** Rows of figures between borders, as on a Phad scroll; exactly as many as the prompt counts where it does. */
export function procession(scene: Scene): string {
  const { design, palette, canvas, random } = scene
  const figures = crowd(design.subjects, design.motifs[0])
  const rows = figures.length > 5 || canvas.halfHeight > canvas.halfWidth * 1.4 ? 2 : 1
  const perRow = Math.ceil(figures.length / rows)
  const { fill, definition } = ornament(palette, random.fork('ornament'))
  const height = Math.min((1.36 * canvas.halfHeight) / rows, 480)
  const pitch = Math.min((1.86 * canvas.halfWidth) / Math.max(perRow, 2), height)
  const size = Math.min(pitch * 0.94, height * 0.84)
  const walkers = figures.map((name, index) => {
    const row = Math.floor(index / perRow)
    const inRow = Math.min(perRow, figures.length - row * perRow)
    const x = ((index % perRow) - (inRow - 1) / 2) * pitch
    // Rows walk towards each other, and each walker has a step of its own.
    const y = (row - (rows - 1) / 2) * height + random.between(-8, 8)
    return figure(
      name,
      motifColors(palette, index % 3),
      { size, x, y, flip: row % 2 === 1 },
      { ornament: fill },
    )
  })
  const lines = Array.from({ length: rows + 1 }, (_, row) => bandAcross(scene, (row - rows / 2) * height))
  return [definition, stripes(scene, rows, height), ...lines, ...walkers].join('')
}

/** Color of each row, and a pattern above and below all. */
function stripes(
  { canvas: { halfWidth, halfHeight }, palette }: Scene,
  rows: number,
  height: number,
): string {
  const edge = motifColors(palette, 2)
  const end = (rows * height) / 2
  return (
    rect(-halfWidth, -halfHeight, 2 * halfWidth, 2 * halfHeight, { fill: edge.primary.deep }) +
    copiesAt(
      around(path(petal(4, 24, 17, 'leaf'), { fill: edge.primary.base }), 6),
      latticePoints({ halfWidth, halfHeight }, 56, 0).filter(([, y]) => Math.abs(y) > end + 34),
    ) +
    rect(-halfWidth, -end, 2 * halfWidth, 2 * end, { fill: palette.background }) +
    copiesAt(
      path(polygon(starPoints(4, 11, 3)), { fill: palette.backgroundTone }),
      latticePoints({ halfWidth, halfHeight: end }, 62, 0),
    )
  )
}

/** Horizontal border with triangles on both sides. */
function bandAcross({ canvas: { halfWidth }, palette }: Scene, y: number): string {
  const pitch = 44
  const count = Math.ceil(halfWidth / pitch) + 1
  const triangle = path(
    polygon([
      [-22, -16],
      [22, -16],
      [0, 16],
    ]),
    { fill: palette.flame.base },
  )
  const points = Array.from({ length: 2 * count + 1 }, (_, index): Point => [(index - count) * pitch, y])
  return (
    rect(-halfWidth - 8, y - 20, 2 * halfWidth + 16, 40, {
      fill: palette.backgroundEdge,
      stroke: palette.stroke,
      width: 3,
    }) + copiesAt(triangle, points)
  )
}

/** Sky, ground or water, and the figures of the prompt where its words put them. */
export function sceneOf(scene: Scene): string {
  const { design, palette, canvas, random } = scene
  const [first = design.motifs[0], ...rest] = crowd(design.subjects, design.motifs[0])
  const names = [first, ...rest]
  const { scenery } = design
  const hasWater = [...names, scenery ?? ''].some(
    (name) => name === 'wave' || surroundingsOf(name) === 'water',
  )
  const horizon = canvas.halfHeight * (hasWater ? 0.08 : 0.3)
  const placed = arrange(scene, names, horizon)
  const { fill, definition } = ornament(palette, random.fork('ornament'))
  const hasLight = names.some((name) => ['sun', 'moon', 'star', 'planet'].includes(name))
  return [
    definition,
    sky(scene, horizon, hasLight),
    hasWater ? water(scene, horizon) : hills(scene, horizon),
    ...placed.map(({ name, ...placement }, index) =>
      figure(name, motifColors(palette, index), placement, placement.size > 260 ? { ornament: fill } : {}),
    ),
    hasWater ? '' : foreground(scene),
  ].join('')
}

function surroundingsOf(name: MotifName): string {
  return name === '' ? 'none' : motifNamed(name).surroundings
}

interface Placed extends Placement {
  readonly name: MotifName
  readonly size: number
}

/** Places figures by the relation of the first two, else each in its surroundings. */
function arrange(
  { design, canvas, random }: Scene,
  names: readonly MotifName[],
  horizon: number,
): readonly Placed[] {
  const [first = design.motifs[0], second, ...others] = names
  const large = Math.min(names.length === 1 ? 560 : 470, canvas.halfWidth * (names.length === 1 ? 1.1 : 0.92))
  const ground = horizon + canvas.halfHeight * 0.36
  if (second !== undefined && design.relation !== undefined && others.length === 0) {
    const base = { name: second, size: large }
    const top = { name: first, size: large * 0.62 }
    switch (design.relation) {
      case 'on':
        return [
          { ...base, y: ground - large * 0.36 },
          { ...top, y: ground - large * 1.06 },
        ]
      case 'over':
        return [
          { ...base, size: large * 0.8, y: ground - large * 0.3 },
          { ...top, y: -canvas.halfHeight + large * 0.56, x: -canvas.halfWidth * 0.22 },
        ]
      case 'under':
        return motifNamed(second).surroundings === 'sky'
          ? [
              { ...base, size: large * 0.6, y: -canvas.halfHeight + large * 0.46 },
              { ...top, size: large * 0.9, y: ground - large * 0.3 },
            ]
          : [
              { ...base, size: large * 1.15, y: ground - large * 0.62 },
              { ...top, size: large * 0.56, y: ground - large * 0.02, x: large * 0.34 },
            ]
      case 'in':
        return [
          { ...base, size: large * 1.2, y: ground - large * 0.4 },
          { ...top, size: large * 0.56, y: ground - large * 0.16 },
        ]
      case 'beside':
        break
    }
  }
  const spread = (2 * canvas.halfWidth * 0.86) / names.length
  const size = Math.min(large, spread * 0.98)
  return names.map((name, index): Placed => {
    const x = (index - (names.length - 1) / 2) * spread
    const isLifted = motifNamed(name).surroundings === 'sky' && names.length > 1
    const y = isLifted
      ? -canvas.halfHeight * random.between(0.4, 0.56)
      : ground - size * random.between(0.3, 0.42)
    return {
      name,
      x,
      y,
      size: isLifted ? size * 0.8 : size,
      flip: index >= names.length / 2 && names.length > 1,
    }
  })
}

function sky({ design, canvas, palette, random }: Scene, horizon: number, hasLight: boolean): string {
  const { halfWidth, halfHeight } = canvas
  const { fill, definition } = linearGradient([
    palette.backgroundEdge,
    palette.background,
    palette.backgroundTone,
  ])
  const scattered = latticePoints(canvas, 118, 0)
    .map(([x, y]): Point => [x + random.between(-44, 44), y + random.between(-44, 44)])
    .filter(([, y]) => y < horizon - 70)
  const weather =
    design.scenery !== undefined && surroundingsOf(design.scenery) === 'sky' ? design.scenery : undefined
  const specks =
    weather === undefined
      ? dots(scattered, palette.isDark ? 3.2 : 4.6, palette.isDark ? palette.stroke : palette.backgroundTone)
      : copiesAt(
          figure(weather, motifColors(palette, 1), { size: weather === 'cloud' ? 150 : 74 }),
          scattered.filter((_, index) => index % (weather === 'cloud' ? 5 : 2) === 0),
        )
  return (
    definition +
    rect(-halfWidth, -halfHeight, 2 * halfWidth, 2 * halfHeight, { fill }) +
    specks +
    (hasLight ? '' : light({ palette, canvas, random }))
  )
}

/** The sun, or the moon on a dark sky. */
function light({ palette, canvas, random }: Pick<Scene, 'palette' | 'canvas' | 'random'>): string {
  const position = {
    x: canvas.halfWidth * random.pick([-0.56, -0.5, 0.46, 0.56]),
    y: -canvas.halfHeight * random.between(0.5, 0.62),
  }
  const { flame, stroke } = palette
  const radius = random.between(62, 86)
  const rings = [1.9, 1.45].map((scale, index) =>
    circle(0, 0, radius * scale, {
      fill: palette.isDark ? stroke : flame.light,
      opacity: 0.1 + index * 0.12,
    }),
  )
  const body = palette.isDark
    ? disc(radius, stroke) +
      circle(radius * 0.34, -radius * 0.16, radius * 0.82, { fill: palette.background })
    : around(path(petal(radius + 8, radius + 44, 20, 'drop'), { fill: flame.base }), 16) +
      disc(radius, flame.base, flame.deep, 3)
  return place(rings.join('') + body, position)
}

/** A row of plants at the lower edge, before the figures: what grows in the scenery, or grass and flowers. */
function foreground({ design, canvas: { halfWidth, halfHeight }, palette, random }: Scene): string {
  const plant =
    design.scenery !== undefined && surroundingsOf(design.scenery) !== 'sky'
      ? design.scenery
      : random.pick(['lotus', 'marigold', 'leaf', 'hibiscus', 'fir', 'sunflower'])
  const pitch = 148
  const count = Math.ceil(halfWidth / pitch)
  return Array.from({ length: 2 * count + 1 }, (_, index) => {
    const x = (index - count) * pitch
    const y = halfHeight - 34 + 22 * Math.abs(Math.sin(index * 1.7))
    return figure(plant, motifColors(palette, index % 2), { size: 112 + (index % 3) * 14, x, y })
  }).join('')
}

/** Three ranges of hills, each with a row of plants. */
function hills({ canvas: { halfWidth, halfHeight }, palette, random }: Scene, horizon: number): string {
  return [0, 1, 2]
    .map((range) => {
      const swatch = range === 2 ? palette.leaf : cyclicAt(palette.swatches, range + 3)
      const y = horizon + (range - 1.1) * halfHeight * 0.17
      const wave = halfWidth * random.between(0.5, 0.9)
      const height = (2 - range) * 46 + 26
      const start = -halfWidth - random.between(0, wave)
      const count = Math.ceil((2 * halfWidth + wave) / wave) + 1
      const line = Array.from(
        { length: count },
        (_, index) => `q${num(wave / 2)} ${num(index % 2 ? height : -height)} ${num(wave)} 0`,
      )
      const d = `M${num(start)} ${num(y)}${line.join('')}V${num(halfHeight + 8)}H${num(start)}Z`
      const rows = Array.from({ length: 9 }, (_, row) => y + 74 + row * 40).filter((at) => at < halfHeight)
      const tufts = rows.flatMap((at, row) =>
        Array.from({ length: Math.ceil(halfWidth / 42) }, (_, index): Point => [
          (index - halfWidth / 84) * 84 + (row % 2) * 42,
          at,
        ]),
      )
      const tuft = path('M-11 0Q-5 -12 0 -22Q5 -12 11 0', { stroke: swatch.light, width: 3, opacity: 0.7 })
      return (
        path(d, { fill: swatch.deep, stroke: palette.stroke, width: 3.4 }) +
        (range === 2 ? copiesAt(tuft, tufts) : '')
      )
    })
    .join('')
}

function water({ canvas: { halfWidth, halfHeight }, palette, random }: Scene, horizon: number): string {
  const pitch = random.between(66, 84)
  const rows = Math.ceil((halfHeight - horizon) / 54)
  return Array.from({ length: rows }, (_, row) => {
    const swatch = cyclicAt(palette.swatches, 1 + (row % 3))
    const y = horizon + row * 54
    const count = Math.ceil((2 * halfWidth) / pitch) + 2
    const start = -halfWidth - pitch + (row % 2) * (pitch / 2)
    const crests = `q${num(pitch / 2)} -34 ${num(pitch)} 0`.repeat(count)
    return path(`M${num(start)} ${num(y)}${crests}V${num(halfHeight + 8)}H${num(start)}Z`, {
      fill: row % 2 === 0 ? swatch.deep : swatch.base,
      stroke: palette.stroke,
      width: 2.8,
    })
  }).join('')
}
