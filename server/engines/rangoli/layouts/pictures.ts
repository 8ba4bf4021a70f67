import { disc, petal, starPoints } from '../shapes.ts'
import type { MotifColors, Palette, Swatch } from '../color.ts'
import type { Design } from '../design.ts'
import { type MotifName, motifNamed, type MotifStyle } from '../figures/catalog.ts'
import { facetedStar, outline, sides } from '../frame.ts'
import { recipes, rings } from '../medallions.ts'
import { motifColors } from '../palette.ts'
import { cyclicAt, type NonEmpty, type Random } from '../random.ts'
import data from '../relations.json' with { type: 'json' }
import { grid, type Scene, stepsTo } from '../scene.ts'
import {
  around,
  circle,
  copiesAt,
  dots,
  gradient,
  inked,
  num,
  path,
  place,
  type Placement,
  type Point,
  polygon,
  rect,
} from '../svg.ts'

// Layouts that show the figures of a prompt large, and as many as it counts.

/** Draws a figure with its center at a point, `size` units high. */
export function figure(
  name: MotifName,
  colors: MotifColors,
  { size, ...placement }: Placement & { readonly size: number },
  style: MotifStyle = {},
): string {
  // Outlines get no thicker than those of ornaments.
  const thin = { outline: Math.min(3.4, 680 / size), ...style }
  return place(motifNamed(name).draw(colors, thin), { ...placement, scale: size / 100 })
}

/** The figures to show: as many of each as the prompt counts, nine at most. */
export function crowd({ subjects, motifs }: Design, fallback = motifs[0]): NonEmpty<MotifName> {
  const [first = fallback, ...others] = subjects.flatMap(({ motif, count }) =>
    Array<MotifName>(count).fill(motif),
  )
  return [first, ...others.slice(0, 8)]
}

/** Ornaments by the size of their pattern, in units of a figure, and their content. */
const ornaments: NonEmpty<readonly [width: number, height: number, content: string]> = [
  [1, 1, ''],
  [1.6, 1.6, '<circle cx=".8" cy=".8" r=".14" stroke-width=".28"/>'],
  [1.2, 1.2, '<path d="M0 1.2L1.2 0" stroke-width=".16"/>'],
  [2, 1, '<path d="M0 0A1 1 0 0 0 2 0M-1 .5A1 1 0 0 0 1 .5A1 1 0 0 0 3 .5" stroke-width=".16"/>'],
  [2, 1, '<path d="M0 .5Q.5 0 1 .5T2 .5" stroke-width=".18"/>'],
]

/** Fill of an ornament as Gond and Madhubani painters use it: dots, hatching, scales or waves. */
function ornament(palette: Palette, random: Random): { readonly fill: string; readonly definition: string } {
  const [width, height, content] = random.fork('ornament').pick(ornaments)
  const ink = palette.isDark ? '#1d1430' : palette.stroke
  const size = `width="${width}" height="${height}" patternUnits="userSpaceOnUse"`
  return {
    fill: 'url(#ornament)',
    definition: `<defs><pattern id="ornament" ${size} opacity=".34" fill="none" stroke="${ink}">${content}</pattern></defs>`,
  }
}

/** One figure over half the height of the image, before a halo of rays and petals, a star or a window. */
export function portrait(scene: Scene): string {
  const { palette, random, canvas } = scene
  const { fill, definition } = ornament(palette, random)
  const kind = random.pick(['halo', 'halo', 'star', 'window'] as const)
  const frame = motifColors(palette, 1)
  const size = random.between(540, 600)
  const [width, height] = [Math.min(300, canvas.halfWidth - 96), Math.min(400, canvas.halfHeight - 90)]
  return [
    definition,
    backdrop(scene, kind === 'window' ? 0 : 340),
    kind === 'halo'
      ? rings(scene, random.pick(recipes.halos)) + circle(0, 0, 278, { stroke: palette.stroke, width: 1.4 })
      : '',
    kind === 'star'
      ? place(facetedStar(16, 400, 482, frame.primary, palette.stroke), { angle: 11.25 }) +
        facetedStar(8, 370, 476, motifColors(palette, 2).primary, palette.stroke) +
        inked(polygon(starPoints(8, 412, 318)), palette.backgroundTone, palette.stroke, 5)
      : '',
    kind === 'window'
      ? arch(width + 60, height + 36, frame.primary.deep, palette.stroke, 4) +
        arch(width + 12, height - 6, palette.backgroundTone, palette.flame.base, 9)
      : '',
    figure(
      crowd(scene.design)[0],
      motifColors(palette, 0),
      { size: kind === 'star' ? 480 : kind === 'window' ? 520 : size, y: kind === 'window' ? 40 : 4 },
      { ornament: fill },
    ),
  ].join('')
}

/** Pointed arch around the center. */
function arch(halfWidth: number, halfHeight: number, fill: string, stroke: string, width: number): string {
  const [x, y, shoulder] = [num(halfWidth), num(halfHeight), num(-halfHeight + halfWidth * 0.9)]
  const [near, far] = [num(halfWidth * 0.36), num(-halfHeight + halfWidth * 0.24)]
  const d = `M-${x} ${y}V${shoulder}C-${x} ${far} -${near} ${far} 0 -${y}C${near} ${far} ${x} ${far} ${x} ${shoulder}V${y}Z`
  return path(d, { fill, stroke, width })
}

/** Small stars, dots or flowers over the whole background, but for its middle. */
export function backdrop({ canvas, palette, random }: Scene, hole: number): string {
  const fill = palette.backgroundTone
  const item = random.pick([
    path(polygon(starPoints(4, 13, 4)), { fill }),
    circle(0, 0, 7, { fill }),
    around(path(petal(3, 17, 12, 'round'), { fill }), 5),
    path('M-12 0Q0 -16 12 0Q0 16 -12 0Z', { fill }),
  ])
  const pitch = random.between(70, 92)
  return copiesAt(
    item,
    grid(canvas, pitch, pitch * 0.8).filter((point) => Math.hypot(...point) > hole),
  )
}

/** Two figures that face each other below an arch, on a border of petals. */
export function pair(scene: Scene): string {
  const { design, palette, canvas, random } = scene
  const { halfWidth, halfHeight } = canvas
  const [first, second = first] = crowd(design)
  const wide = Math.min(halfWidth, halfHeight * 1.5)
  const size = Math.min(470, wide * 0.82)
  const { fill, definition } = ornament(palette, random)
  const frame = motifColors(palette, 1)
  const y = Math.min(halfHeight - 150 - size / 2, 110)
  const tall = halfHeight > 900 ? 440 : halfHeight - 70
  const lamp = rings(scene, recipes.lamp)
  return [
    definition,
    outline(canvas, 0, { fill: frame.primary.deep }),
    copiesAt(circle(0, 0, 9, { fill: frame.primary.base }), grid(canvas, 44, 38)),
    arch(wide - 60, tall + 14, palette.backgroundEdge, palette.stroke, 4),
    arch(wide - 78, tall, palette.background, palette.flame.base, 9),
    place(lamp, { y: y - size / 2 - 110 }),
    ...[first, second].map((name, index) =>
      figure(
        name,
        motifColors(palette, index === 0 || second === first ? 0 : 2),
        { size, x: (index - 0.5) * size * 1.02, y, flip: index === 1 },
        { ornament: fill },
      ),
    ),
    footing(scene, y + size / 2 + 8),
    halfWidth > 900 || halfHeight > 900 ? sides(scene) : '',
  ].join('')
}

/** Ground below figures: a row of petals over a band, with rows of dots to the lower edge. */
export function footing({ canvas: { halfWidth, halfHeight }, palette }: Scene, y: number): string {
  const { primary } = motifColors(palette, 1)
  const pitch = 62
  const row = (at: number, shift: number) =>
    stepsTo(Math.ceil(halfWidth / pitch)).map((step): Point => [(step + shift) * pitch, at])
  const leaf = inked(
    'M-31 0C-31 -34 -12 -40 0 -58C12 -40 31 -34 31 0Z',
    palette.leaf.base,
    palette.stroke,
    2.6,
  )
  const rows = Array.from({ length: Math.ceil((halfHeight - y) / 34) }, (_, index) =>
    row(y + 54 + index * 32, (index % 2) / 2),
  )
  return (
    copiesAt(leaf, row(y + 22, 0)) +
    rect(-halfWidth - 8, y + 20, 2 * halfWidth + 16, halfHeight - y, {
      fill: primary.deep,
      stroke: palette.stroke,
      width: 3,
    }) +
    dots(rows.flat(), 5, primary.light)
  )
}

/** Rows of figures between borders, as on a Phad scroll; exactly as many as the prompt counts where it does. */
export function procession(scene: Scene): string {
  const { design, palette, canvas, random } = scene
  const { halfWidth, halfHeight } = canvas
  const named = crowd(design)
  const aspect = halfWidth / halfHeight
  // One figure without a number walks with others of its kind.
  const isAlone = named.length === 1 && design.subjects.length < 2
  const figures = isAlone ? Array<MotifName>(aspect > 2.2 ? 5 : 6).fill(named[0]) : named
  const perRow = Math.ceil(
    figures.length / Math.max(1, Math.floor(Math.sqrt((0.8 * figures.length) / aspect) + 0.4)),
  )
  const rows = Math.ceil(figures.length / perRow)
  const { fill, definition } = ornament(palette, random)
  const height = Math.min((1.66 * halfHeight) / rows, 640)
  const pitch = Math.min((1.86 * halfWidth) / Math.max(perRow, 2), height * 1.2)
  const size = Math.min(pitch * 0.94, height * 0.8)
  const end = (rows * height) / 2
  const edge = motifColors(palette, 2).primary
  const walkers = figures.map((name, index) => {
    const row = Math.floor(index / perRow)
    const inRow = Math.min(perRow, figures.length - row * perRow)
    const x = ((index % perRow) - (inRow - 1) / 2) * pitch
    // Each walker has a step of its own, and rows walk towards each other.
    const y = (row - (rows - 1) / 2) * height + random.between(-9, 9)
    const colors = motifColors(palette, index % 3)
    return figure(
      name,
      colors,
      { size, x, y, flip: row % 2 === 1, angle: random.between(-3, 3) },
      { ornament: fill },
    )
  })
  return [
    definition,
    outline(canvas, 0, { fill: edge.deep }),
    copiesAt(
      around(path(petal(4, 24, 17, 'leaf'), { fill: edge.base }), 6),
      grid(canvas, 56, 48).filter(([, y]) => Math.abs(y) > end + 34),
    ),
    rect(-halfWidth, -end, 2 * halfWidth, 2 * end, { fill: palette.background }),
    copiesAt(
      path(polygon(starPoints(4, 11, 3)), { fill: palette.backgroundTone }),
      grid({ halfWidth, halfHeight: end - 60 }, 62, 50),
    ),
    ...Array.from({ length: rows + 1 }, (_, row) => bandAcross(scene, (row - rows / 2) * height)),
    ...walkers,
  ].join('')
}

/** Horizontal border with triangles. */
function bandAcross({ canvas: { halfWidth }, palette }: Scene, y: number): string {
  const points = stepsTo(Math.ceil(halfWidth / 44)).map((step): Point => [step * 44, y])
  return (
    rect(-halfWidth - 8, y - 20, 2 * halfWidth + 16, 40, {
      fill: palette.backgroundEdge,
      stroke: palette.stroke,
      width: 3,
    }) + copiesAt(path('M-22 -16H22L0 16Z', { fill: palette.flame.base }), points)
  )
}

/** Sky, ground or water, and the figures of the prompt where its words put them. */
export function sceneOf(scene: Scene): string {
  const { design, palette, canvas, random } = scene
  const names = crowd(design)
  const { scenery } = design
  const hasWater = [...names, scenery].some((name) => name !== undefined && isIn('water', name))
  // Waves are the water, and no figure in it.
  const shown = names.filter((name) => name !== 'wave')
  const horizon = canvas.halfHeight * (hasWater ? (shown.length > 0 ? 0.02 : -0.1) : 0.3)
  const { fill, definition } = ornament(palette, random)
  const placed = arrange(scene, shown, horizon)
  // Behind the hills, unless it is on or in what stands before them.
  const isAbove = ({ name, y = 0 }: Placed) => isIn('sky', name) && y < 0
  const draw = (list: readonly Placed[]) =>
    list.map(({ name, ...placement }) =>
      figure(
        name,
        motifColors(palette, shown.indexOf(name)),
        placement,
        placement.size > 260 ? { ornament: fill } : {},
      ),
    )
  const [back, front] = hasWater ? water(scene, horizon) : [hills(scene, horizon), foreground(scene)]
  return [
    definition,
    sky(
      scene,
      horizon,
      !shown.some((name) => ['sun', 'moon', 'star', 'planet'].includes(name)),
      shown.length === 0,
    ),
    ...draw(placed.filter(isAbove)),
    back,
    ...draw(placed.filter((one) => !isAbove(one))),
    front,
  ].join('')
}

function isIn(surroundings: string, name: MotifName): boolean {
  return (name === 'wave' ? 'water' : motifNamed(name).surroundings) === surroundings
}

interface Placed extends Placement {
  readonly name: MotifName
  readonly size: number
}

type Spot = readonly [size: number, x: number, y: number]

/**
 * Sizes of the second figure and the first, their distances from the middle, and from the ground upwards: all in units of a
 * large figure. `over` and what is under the sky hang from the upper edge.
 */
const relations = data as unknown as Readonly<Record<keyof typeof data, readonly [second: Spot, first: Spot]>>

/** Places figures by the relation of the first two, else each in its surroundings. */
function arrange(
  { design, canvas, random }: Scene,
  names: readonly MotifName[],
  horizon: number,
): readonly Placed[] {
  const [first, second] = names
  const { halfWidth, halfHeight } = canvas
  const isTall = halfHeight > 1.5 * halfWidth
  const large = (names.length === 1 ? 560 : 470) * (isTall ? 1.4 : 1)
  const ground = horizon + halfHeight * 0.36
  const { relation } = design
  if (
    first !== undefined &&
    second !== undefined &&
    names.length === 2 &&
    relation !== undefined &&
    relation !== 'beside'
  ) {
    // Under the moon is not before its trunk.
    const isUnderSky = relation === 'under' && isIn('sky', second)
    const [lower, upper] = isUnderSky ? [first, second] : [second, first]
    const [base, top] = relations[isUnderSky ? 'over' : relation]
    return [
      { name: lower, spot: base },
      { name: upper, spot: top },
    ].map(({ name, spot: [size, x, y] }) => {
      const hangs = (relation === 'over' || isUnderSky) && name === upper
      return { name, size: size * large, x: x * large, y: hangs ? -halfHeight * 0.5 : ground - y * large }
    })
  }
  const rows = names.length > 3 && halfHeight > halfWidth * 1.3 ? 2 : 1
  const perRow = Math.ceil(names.length / rows)
  const spread = (2 * halfWidth * 0.9) / Math.max(1, perRow)
  const size = Math.min(large, spread * 0.98)
  return names.map((name, index): Placed => {
    const row = Math.floor(index / perRow)
    const inRow = Math.min(perRow, names.length - row * perRow)
    const x = ((index % perRow) - (inRow - 1) / 2) * spread
    const isLifted = isIn('sky', name)
    const height = names.length > 1 ? random.between(0.4, 0.56) : 0.24
    const y = isLifted ? -halfHeight * height : ground - size * random.between(0.3, 0.42)
    return {
      name,
      x,
      y: y - (rows - 1 - row) * size * 1.1,
      size: isLifted ? size * 0.8 : size,
      flip: index % perRow >= inRow / 2 && inRow > 1,
    }
  })
}

function sky(scene: Scene, horizon: number, hasLight: boolean, isLightLarge: boolean): string {
  const { design, canvas, palette, random } = scene
  const { halfWidth, halfHeight } = canvas
  const { fill, definition } = gradient('linear', [
    palette.backgroundEdge,
    palette.background,
    palette.backgroundTone,
  ])
  const scattered = grid(canvas, 118, 118)
    .map(([x, y]): Point => [x + random.between(-44, 44), y + random.between(-44, 44)])
    .filter(([, y]) => y < horizon - 70)
  const weather = design.scenery !== undefined && isIn('sky', design.scenery) ? design.scenery : undefined
  const specks =
    weather === undefined
      ? dots(scattered, palette.isDark ? 3.2 : 4.6, palette.isDark ? palette.stroke : palette.backgroundTone)
      : copiesAt(
          figure(weather, motifColors(palette, 1), { size: weather === 'cloud' ? 150 : 74 }),
          scattered.filter((_, index) => index % (weather === 'cloud' ? 5 : 3) === 0),
        )
  return (
    definition +
    outline(canvas, 0, { fill }) +
    (isLightLarge ? light(scene, 190, [0, horizon - 130]) + specks : specks) +
    (hasLight && !isLightLarge
      ? light(scene, random.between(62, 86), [
          halfWidth * random.pick([-0.56, -0.5, 0.46, 0.56]),
          -halfHeight * random.between(0.5, 0.62),
        ])
      : '')
  )
}

/** The sun, or the moon on a dark sky. */
function light({ palette }: Scene, radius: number, [x, y]: Point): string {
  const { flame, stroke, isDark } = palette
  const glow = [1.9, 1.45].map((scale, index) =>
    circle(0, 0, radius * scale, { fill: isDark ? stroke : flame.light, opacity: 0.1 + index * 0.12 }),
  )
  const body = isDark
    ? disc(radius, stroke) +
      circle(radius * 0.34, -radius * 0.16, radius * 0.82, { fill: palette.background })
    : around(path(petal(radius * 1.1, radius * 1.5, radius * 0.26, 'drop'), { fill: flame.base }), 16) +
      disc(radius, flame.base, flame.deep, 3) +
      disc(radius * 0.7, flame.light)
  return place(glow.join('') + body, { x, y })
}

/** A row of plants at the lower edge, before the figures: what grows in the scenery, or grass and flowers. */
function foreground({ design, canvas: { halfWidth, halfHeight }, palette, random }: Scene): string {
  const { scenery } = design
  const plant =
    scenery !== undefined && !isIn('sky', scenery)
      ? scenery
      : random.pick(['lotus', 'marigold', 'leaf', 'hibiscus', 'fir', 'sunflower'])
  return stepsTo(Math.ceil(halfWidth / 148))
    .map((step) => {
      const y = halfHeight - 34 + 22 * Math.abs(Math.sin(step * 1.7))
      const size = 112 + (Math.abs(step) % 3) * 14
      return figure(plant, motifColors(palette, Math.abs(step) % 2), { size, x: step * 148, y })
    })
    .join('')
}

/** Three ranges of hills, the nearest with tufts of grass. */
function hills({ canvas, palette, random }: Scene, horizon: number): string {
  const { halfWidth, halfHeight } = canvas
  return [0, 1, 2]
    .map((range) => {
      const swatch = range === 2 ? palette.leaf : cyclicAt(palette.swatches, range + 3)
      const y = horizon + (range - 1.1) * halfHeight * 0.17
      const wave = halfWidth * random.between(0.5, 0.9)
      const height = (2 - range) * 46 + 26
      const start = -halfWidth - random.between(0, wave)
      const line = Array.from(
        { length: Math.ceil((2 * halfWidth + wave) / wave) + 1 },
        (_, index) => `q${num(wave / 2)} ${num(index % 2 ? height : -height)} ${num(wave)} 0`,
      )
      const d = `M${num(start)} ${num(y)}${line.join('')}V${num(halfHeight + 8)}H${num(start)}Z`
      const tuft = path('M-11 0Q-5 -12 0 -22Q5 -12 11 0', { stroke: swatch.light, width: 3, opacity: 0.7 })
      const tufts = grid(canvas, 84, 42).filter(([, at]) => at > y + 60)
      const poplar =
        path('M0 30V-30', { stroke: palette.stroke, width: 4 }) +
        inked(petal(-6, 84, 34, 'leaf'), palette.leaf.base, palette.stroke, 2.6)
      const grove = stepsTo(Math.ceil(halfWidth / 130))
        .map((step): Point => [(step + random.between(-0.4, 0.4)) * 130, y + random.between(30, 56)])
        .filter(([x]) => Math.abs(x) > 230)
      return (
        inked(d, swatch.deep, palette.stroke, 3.4) +
        (range === 2 ? copiesAt(tuft, tufts) : range === 1 ? copiesAt(poplar, grove) : '')
      )
    })
    .join('')
}

/** Bands of water behind the figures, and before them. */
function water(scene: Scene, horizon: number): readonly [back: string, front: string] {
  const { design, palette, canvas, random } = scene
  const crests = random.pick([6, 8, 10])
  const count = Math.ceil((canvas.halfHeight + 60 - horizon) / 82)
  const swatches = waterSwatches(palette, design.backgroundColor !== undefined)
  const bands = Array.from({ length: count }, (_, index) =>
    waveBand(scene, swatches, horizon + index * 82, index, 1024 / crests),
  )
  const behind = Math.ceil(count * 0.62)
  return [bands.slice(0, behind).join(''), bands.slice(behind).join('')]
}

/** Chooses the swatches of the water: a color that the prompt names, else a blue, and a similar one. */
function waterSwatches({ swatches }: Palette, isColorNamed: boolean): readonly [near: Swatch, far: Swatch] {
  const blue = swatches.find(({ color }) => color.c > 0.04 && color.h > 175 && color.h < 285)
  const near = isColorNamed ? swatches[0] : (blue ?? swatches[0])
  const isSimilar = ({ color }: Swatch) => color.c > 0.04 && Math.abs(color.h - near.color.h) < 75
  return [near, swatches.find((swatch) => swatch !== near && isSimilar(swatch)) ?? near]
}

/** One band of water with crests and foam; bands get darker towards the viewer. */
function waveBand(
  { palette, canvas }: Scene,
  [near, far]: readonly [near: Swatch, far: Swatch],
  y: number,
  index: number,
  length: number,
): string {
  const fill = cyclicAt(
    [far.light, near.light, far.base, near.base, far.deep, near.deep],
    Math.min(index, 3 + (index % 3)),
  )
  const foamLight = index % 2 === 0 ? near.light : far.light
  const swing = 15 + Math.min(index, 8) * 1.6
  const xs = stepsTo(Math.ceil(canvas.halfWidth / length) + 1).map(
    (step) => (step + (index % 2) / 2) * length,
  )
  const line = (offset: number) => {
    const [crest, trough] = [num(y - swing + offset), num(y + swing + offset)]
    const run = xs.map((x) => {
      const at = [0.18, 0.32, 0.5, 0.82, 1].map((share) => num(x + length * share))
      return `C${at[0] ?? ''} ${crest} ${at[1] ?? ''} ${trough} ${at[2] ?? ''} ${trough}S${at[3] ?? ''} ${crest} ${at[4] ?? ''} ${crest}`
    })
    return `M${num(xs[0] ?? 0)} ${crest}${run.join('')}`
  }
  const foam = xs.map((x): Point => [x, y - swing + 44 + Math.min(index, 8) * 2])
  const { stroke } = palette
  const curl = path('M-34 2C-22 -31 19 -33 23 -5C25 12 4 15 3 3C2 -5 10 -7 12 -1', { stroke, width: 3.2 })
  return (
    path(`${line(0)}V${num(canvas.halfHeight + 88)}H${num(xs[0] ?? 0)}Z`, { fill, stroke, width: 4 }) +
    path(line(13), { stroke: foamLight, width: 3 }) +
    path(line(24), { stroke, width: 1.6, dash: '0.1 9' }) +
    (index % 2 === 0
      ? dots(foam, 5, stroke) + copiesAt(circle(0, 0, 13, { stroke: foamLight, width: 2.6 }), foam)
      : copiesAt(curl, foam))
  )
}
