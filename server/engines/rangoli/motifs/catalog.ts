import type { Drawing, MotifColors } from '../color.ts'
import { petal } from '../shapes.ts'
import { around, circle, path, polar, polygon } from '../svg.ts'
import { animals } from './animals.ts'
import { nature } from './nature.ts'
import { objects } from './objects.ts'
import { people } from './people.ts'
import { plants } from './plants.ts'

/** Drawing of one subject. */
interface Motif {
  readonly draw: Drawing
  /** Faces right, so that a symmetric image needs its mirror image too. */
  readonly isDirectional: boolean
}

/** Motifs that show nothing, so that they suit any prompt. */
const ornamentDrawings = {
  /** Two rings of drops around a disc. */
  roundel({ primary, secondary, tertiary, stroke }) {
    return (
      around(path(petal(18, 48, 22, 'drop'), { fill: secondary.base, stroke, width: 1.8 }), 8, 22.5) +
      around(
        path(petal(8, 41, 19, 'drop'), { fill: primary.base, stroke, width: 2 }) +
          circle(0, -31, 3.4, { fill: primary.light }),
        8,
      ) +
      circle(0, 0, 13, { fill: tertiary.base, stroke, width: 2.2 }) +
      around(circle(0, -8, 1.8, { fill: tertiary.light }), 6) +
      circle(0, 0, 4, { fill: stroke })
    )
  },

  /** One line in four loops around dots, as in a kolam. */
  knot({ primary, secondary, tertiary, stroke }) {
    const loop = 'M0 0C-34 -14 -26 -48 0 -48C26 -48 34 -14 0 0Z'
    return (
      around(
        path(loop, { fill: secondary.base, stroke, width: 2.6 }) + circle(0, -28, 3.4, { fill: stroke }),
        4,
        45,
      ) +
      around(
        path(loop, { fill: primary.base, stroke, width: 2.8 }) +
          path('M0 -12C-15 -20 -14 -38 0 -39C14 -38 15 -20 0 -12Z', { fill: primary.light }) +
          circle(0, -28, 4, { fill: stroke }),
        4,
      ) +
      circle(0, 0, 8, { fill: tertiary.base, stroke, width: 2.2 })
    )
  },

  /** Two squares that cross in an eight-pointed star. */
  octagram({ primary, secondary, tertiary, stroke }) {
    const square = polygon([0, 90, 180, 270].map((angle) => polar(48, angle)))
    const inner = polygon([0, 90, 180, 270].map((angle) => polar(30, angle)))
    return (
      around(path(square, { fill: secondary.base, stroke, width: 2.4 }), 1, 45) +
      path(square, { fill: primary.base, stroke, width: 2.4 }) +
      around(path(inner, { fill: primary.deep, stroke, width: 1.8 }), 2, 45) +
      around(path(petal(6, 25, 13, 'lotus'), { fill: tertiary.light }), 8) +
      circle(0, 0, 7, { fill: tertiary.base, stroke, width: 1.8 })
    )
  },

  /** Six petals between six leaves. */
  hexafoil({ primary, secondary, tertiary, stroke }) {
    return (
      around(
        path(petal(10, 48, 20, 'leaf'), { fill: secondary.deep, stroke, width: 1.8 }) +
          circle(0, -34, 2.6, { fill: stroke }),
        6,
        30,
      ) +
      around(
        path(petal(6, 46, 34, 'round'), { fill: primary.base, stroke, width: 2.2 }) +
          path(petal(12, 37, 19, 'round'), { fill: primary.light }) +
          path(petal(14, 29, 9, 'round'), { fill: primary.deep }),
        6,
      ) +
      circle(0, 0, 11, { fill: tertiary.base, stroke, width: 2.2 }) +
      circle(0, 0, 4.5, { fill: tertiary.light })
    )
  },
} satisfies Record<string, Drawing>

const drawings = {
  ...animals,
  ...nature,
  ...objects,
  ...people,
  ...plants,
  ...ornamentDrawings,
} satisfies Record<string, Drawing>

export type MotifName = keyof typeof drawings

const directional: ReadonlySet<string> = new Set<MotifName>([
  'bird',
  'elephant',
  'fish',
  'hand',
  'horse',
  'paisley',
  'peacock',
])

/** Each drawing begins with a comment that names its motif, see `motifsIn`. */
export const motifs = Object.fromEntries(
  Object.entries(drawings).map(([name, draw]) => [
    name,
    {
      draw: (colors: MotifColors) => `<!--${name}-->${draw(colors)}`,
      isDirectional: directional.has(name),
    },
  ]),
) as Record<MotifName, Motif>

/** Returns the motifs that an SVG document shows. */
export function motifsIn(svg: string): ReadonlySet<string> {
  return new Set(Array.from(svg.matchAll(/<!--(\w+)-->/g), ([, name = '']) => name))
}

/** Names of the ornaments. The order is part of the algorithm. */
export const ornaments = ['roundel', 'knot', 'octagram', 'hexafoil'] as const satisfies readonly MotifName[]

export function isOrnament(name: MotifName): boolean {
  return Object.hasOwn(ornamentDrawings, name)
}
