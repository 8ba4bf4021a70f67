import type { MotifColors } from '../color.ts'
import {
  around,
  circle,
  dots,
  ellipse,
  mirrored,
  parsePoints,
  path,
  place,
  type Placement,
  rect,
  type Style,
} from '../svg.ts'
import data from './figures.json' with { type: 'json' }

/** Drawing of one subject. */
interface Motif {
  /** Draws the subject as SVG, upright, within 50 units of the origin. */
  readonly draw: (colors: MotifColors) => string
  /** Faces right, so that a symmetric image needs its mirror image too. */
  readonly isDirectional: boolean
}

type SwatchName = Exclude<keyof MotifColors, 'stroke' | 'background'>
type Shade = 'light' | 'base' | 'deep'
type FigureColor = 'stroke' | 'background' | `${SwatchName}.${Shade}`

/** Style of a shape of the data file, with the names of colors. */
interface FigureStyle extends Omit<Style, 'fill' | 'stroke'> {
  readonly fill?: FigureColor
  readonly stroke?: FigureColor
}

/** Shape of the data file. Coordinates are in the order of the parameters of the functions of the same names in svg.ts. */
type Shape =
  | ({ readonly path: string } & FigureStyle)
  | ({ readonly circle: readonly [number, number, number] } & FigureStyle)
  | ({ readonly ellipse: readonly [number, number, number, number] } & FigureStyle)
  | ({ readonly rect: readonly [number, number, number, number] } & FigureStyle)
  | { readonly dots: string; readonly radius: number; readonly fill: FigureColor; readonly opacity?: number }
  | { readonly mirrored: readonly Shape[] }
  | { readonly around: readonly Shape[]; readonly count: number; readonly offset?: number }
  | ({ readonly place: readonly Shape[] } & Placement)

interface Figure {
  readonly description: string
  readonly facesRight?: boolean
  readonly shapes: readonly Shape[]
}

export type MotifName = keyof typeof data

/** Each drawing begins with a comment that names its motif, see `motifsIn`. */
export const motifs = Object.fromEntries(
  Object.entries(data as Record<MotifName, Figure>).map(([name, { shapes, facesRight = false }]) => [
    name,
    {
      draw: (colors: MotifColors) => `<!--${name}-->${drawShapes(shapes, colors)}`,
      isDirectional: facesRight,
    },
  ]),
) as Record<MotifName, Motif>

function drawShapes(shapes: readonly Shape[], colors: MotifColors): string {
  return shapes.map((shape) => drawShape(shape, colors)).join('')
}

function drawShape(shape: Shape, colors: MotifColors): string {
  if ('mirrored' in shape) return mirrored(drawShapes(shape.mirrored, colors))
  if ('around' in shape) return around(drawShapes(shape.around, colors), shape.count, shape.offset)
  if ('place' in shape) return place(drawShapes(shape.place, colors), shape)
  if ('dots' in shape) {
    return dots(parsePoints(shape.dots), shape.radius, colorNamed(shape.fill, colors), shape.opacity)
  }
  const { fill, stroke } = shape
  const style: Style = {
    ...shape,
    ...(fill !== undefined && { fill: colorNamed(fill, colors) }),
    ...(stroke !== undefined && { stroke: colorNamed(stroke, colors) }),
  }
  if ('path' in shape) return path(shape.path, style)
  if ('circle' in shape) return circle(...shape.circle, style)
  if ('ellipse' in shape) return ellipse(...shape.ellipse, style)
  return rect(...shape.rect, style)
}

function colorNamed(name: FigureColor, colors: MotifColors): string {
  if (name === 'stroke' || name === 'background') return colors[name]
  const [swatch, shade] = name.split('.') as [SwatchName, Shade]
  return colors[swatch][shade]
}

/** Returns the motifs that an SVG document shows. */
export function motifsIn(svg: string): ReadonlySet<string> {
  return new Set(Array.from(svg.matchAll(/<!--(\w+)-->/g), ([, name = '']) => name))
}

/** Names of the motifs that show nothing, so that they suit any prompt. The order is part of the algorithm. */
export const ornaments = ['roundel', 'knot', 'octagram', 'hexafoil'] as const satisfies readonly MotifName[]

export function isOrnament(name: MotifName): boolean {
  return ornaments.some((ornament) => ornament === name)
}
