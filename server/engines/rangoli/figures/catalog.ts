import { colorDistance, type MotifColors, type Swatch, toHex } from '../color.ts'
import { around, num } from '../svg.ts'
import data from './hand-made.json' with { type: 'json' }

/** Drawing of one subject. */
export interface Motif {
  /** Draws the subject as SVG, upright, within 50 units of the origin. */
  readonly draw: (colors: MotifColors, style?: MotifStyle) => string
  /** Faces right, so that a symmetric image needs its mirror image too. */
  readonly isDirectional: boolean
  /** Where it is in a scene. */
  readonly surroundings: 'ground' | 'sky' | 'water' | 'none'
}

export interface MotifStyle {
  /** Width of the outline, in units of the drawing. */
  readonly outline?: number
  /** Fill of an ornament over the largest part; a `url(#…)`. */
  readonly ornament?: string
}

type SwatchName = 'primary' | 'secondary' | 'tertiary' | 'leaf' | 'flame'
type Shade = 'light' | 'base' | 'deep'

/** Figure of `hand-made.json`, of 100 units, with names of colors, see `paint`. */
interface HandMade {
  readonly facesRight?: boolean
  readonly surroundings: Motif['surroundings']
  /** Swatch of most of the figure; primary without it. */
  readonly tinted?: SwatchName
  readonly body: readonly string[]
}

/** Figure of `figures.jsonl`, of 32 units. */
interface OpenFigure {
  readonly name: string
  readonly in: Motif['surroundings']
  readonly facesLeft?: boolean
  /** Its hues, the largest first: lightness, chroma and hue of OKLCH. */
  readonly hues: readonly (readonly [l: number, c: number, h: number])[]
  /** Colors of `$0`, `$1` and so on: `k` for dark, `w` for white, or the index of a hue with a difference of lightness. */
  readonly colors: readonly string[]
  readonly body: string
}

/** Name of a motif, by hand or from open data. */
export type MotifName = string

/** Motifs by name. Each drawing begins with a comment that names it, see `motifsIn`. */
const motifs = new Map<MotifName, Motif>(
  Object.entries(data as Readonly<Record<string, HandMade>>).map(([name, figure]) => [
    name,
    {
      draw: (colors) => `<!--${name}-->${drawHandMade(name, figure, colors)}`,
      isDirectional: figure.facesRight ?? false,
      surroundings: figure.surroundings,
    },
  ]),
)

function drawHandMade(name: MotifName, { body, tinted = 'primary' }: HandMade, colors: MotifColors): string {
  const tint = colors.tints.get(name)
  const own = tint ? { ...colors, [tinted]: tint } : colors
  return paint(body.join(''), own)
}

/**
 * Gives SVG of a data file the colors of an image. It has their names, such as `$primary.base` and `$stroke`; `<around>` repeats
 * what it contains around the center.
 */
export function paint(svg: string, colors: MotifColors): string {
  return svg
    .replace(/\$(\w+)\.(\w+)/g, (_, swatch: SwatchName, shade: Shade) => colors[swatch][shade])
    .replace(/\$(\w+)/g, (_, color: 'stroke' | 'background' | 'backgroundEdge') => colors[color])
    .replace(
      /<around count="(\d+)" offset="(.*?)">(.*?)<\/around>/g,
      (_, count: string, offset: string, content: string) => around(content, Number(count), Number(offset)),
    )
}

let loading: Promise<void> | undefined

/** Loads the figures of open data, once. */
export function loadFigures(): Promise<void> {
  loading ??= readFigures()
  return loading
}

async function readFigures(): Promise<void> {
  const { default: lines } = await import('./figures.jsonl?raw')
  for (const line of lines.trimEnd().split('\n')) {
    const figure = JSON.parse(line) as OpenFigure
    motifs.set(figure.name, {
      draw: (colors, style) => drawOpenFigure(figure, colors, style),
      isDirectional: figure.facesLeft ?? false,
      surroundings: figure.in,
    })
  }
}

/** Returns the motif of a name that `hand-made.json` or `figures.jsonl` has. */
export function motifNamed(name: MotifName): Motif {
  const motif = motifs.get(name)
  if (motif === undefined) throw new Error(`There is no figure "${name}".`)
  return motif
}

export function hasMotif(name: MotifName): boolean {
  return motifs.has(name)
}

/** Draws a figure in colors of the palette that are closest to its own, over an outline of all its shapes. */
function drawOpenFigure(figure: OpenFigure, colors: MotifColors, style: MotifStyle = {}): string {
  const { outline = 3.4, ornament } = style
  const swatches = swatchesFor(figure, colors)
  const hexes = figure.colors.map((color) => hexOf(color, swatches, colors))
  const inked = (shape: string, color: string) => shape.replace(/\$\d+/, color)
  const outlined = figure.body.replace(/\$\d+/g, colors.stroke)
  const shapes = figure.body.replace(/<\w+ [^>]*?\$(\d+)[^>]*>/g, (shape, index: string) => {
    const painted = inked(shape, hexes[Number(index)] ?? colors.stroke)
    const isLargest = figure.colors[Number(index)] === '0+0.00' && shape.endsWith('/>')
    return ornament !== undefined && isLargest ? painted + inked(shape, ornament) : painted
  })
  const content = `<g stroke="${colors.stroke}" stroke-width="${num(outline / unit)}">${outlined}</g>${shapes}`
  const scale = figure.facesLeft ? `scale(-${unit} ${unit})` : `scale(${unit})`
  return `<!--${figure.name}--><g fill="none" transform="${scale}translate(-16 -16)">${content}</g>`
}

/** Size of a unit of a figure of 32 units. */
const unit = 100 / 32

/** Hue and chroma count more than lightness. */
const figureWeights = { lightness: 0.6, chroma: 1.6 }

/** Chooses a swatch for each hue of a figure: the closest one, and rather one that no larger hue has. */
function swatchesFor({ name, hues }: OpenFigure, colors: MotifColors): readonly Swatch[] {
  const pool = [colors.primary, ...colors.swatches, colors.leaf, colors.flame]
  const chosen: Swatch[] = []
  for (const [index, [l, c, h]] of hues.entries()) {
    const cost = ({ color }: Swatch) =>
      colorDistance({ l, c, h }, color, figureWeights) + (chosen.some((one) => one.color === color) ? 0.2 : 0)
    const tint = index === 0 ? colors.tints.get(name) : undefined
    const [closest = colors.primary] = pool.toSorted((a, b) => cost(a) - cost(b))
    chosen.push(tint ?? closest)
  }
  return chosen
}

function hexOf(color: string, swatches: readonly Swatch[], { stroke, isDark }: MotifColors): string {
  if (color === 'k') return isDark ? darkDetail : stroke
  if (color === 'w') return whiteDetail
  const [, index = '', difference = ''] = /^(\d+)([+-].*)$/.exec(color) ?? []
  const base = swatches[Number(index)]?.color
  if (base === undefined) return stroke
  return toHex({ ...base, l: Math.min(0.97, Math.max(0.2, base.l + 0.9 * Number(difference))) })
}

/** Eyes and wheels on a dark background, whose outlines are light. */
const darkDetail = toHex({ l: 0.22, c: 0.04, h: 285 })
const whiteDetail = toHex({ l: 0.98, c: 0.012, h: 88 })

/** Returns the motifs that an SVG document shows. */
export function motifsIn(svg: string): ReadonlySet<string> {
  return new Set(Array.from(svg.matchAll(/<!--([\w-]+?)-->/g), ([, name = '']) => name))
}

/** Names of the motifs that show nothing, so that they suit any prompt. The order is part of the algorithm. */
export const ornaments = ['roundel', 'knot', 'octagram', 'hexafoil'] as const

export function isOrnament(name: MotifName): boolean {
  return ornaments.some((ornament) => ornament === name)
}
