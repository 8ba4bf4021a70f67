import { petal } from '../shapes.ts'
import { isOrnament } from '../figures/catalog.ts'
import { outline } from '../frame.ts'
import { medallion, rings, roundel } from '../medallions.ts'
import { motifColors } from '../palette.ts'
import { cyclicAt, type NonEmpty } from '../random.ts'
import { stepsTo, type Canvas, type Scene } from '../scene.ts'
import { around, circle, inked, path, place, type Point, polar, polygon } from '../svg.ts'

/**
 * Girih and zellige: straps over a tiling that never repeats, of eight, ten or twelve directions. From the middle of each
 * edge two straps leave at the same angle, and meet those of the next edges in the points of stars.
 *
 * @see https://www.cgl.uwaterloo.ca/csk/papers/kaplan_bridges2005.pdf
 */
export function tile(scene: Scene): string {
  const { design, palette, canvas, random } = scene
  const directions = design.order % 6 === 0 ? 6 : design.order % 5 === 0 ? 5 : 4
  const contact = directions === 6 ? 27 : random.pick([28, 32])
  const edge = random.between(138, 170)
  const rhombs = tiling(canvas, directions, edge)
  const [inner, atCorners] = [new Map<number, string>(), new Map<string, Star>()]
  for (const { corners, width } of rhombs) {
    const inside = corners.flatMap((corner, index) => {
      const [next, before] = [cyclicAt(corners, index + 1), cyclicAt(corners, index + 3)]
      const tip = towards(corner, middle(before, next), edge, contact)
      const key = corner.map(Math.round).join()
      const piece = polygon([corner, middle(before, corner), tip, middle(corner, next)])
      const star = atCorners.get(key) ?? { at: corner, degree: 0, d: '' }
      atCorners.set(key, { ...star, degree: star.degree + 1, d: star.d + piece })
      return [tip, middle(corner, next)]
    })
    inner.set(width, (inner.get(width) ?? '') + polygon(inside))
  }
  const straps = [...inner.values()].join('')
  const stars = [...atCorners.values()]
  const most = Math.max(...stars.map(({ degree }) => degree))
  return [
    outline(canvas, 0, { fill: palette.backgroundEdge }),
    ...[...inner.values()].map((d, index) =>
      path(d, {
        fill: cyclicAt([palette.backgroundTone, palette.backgroundEdge, palette.background], index),
      }),
    ),
    ...byColor(scene, stars),
    ...[0.1, 0.068, 0.026].map((width, index) =>
      path(straps, {
        stroke: cyclicAt([palette.stroke, palette.backgroundEdge, palette.flame.base], index),
        width: width * edge,
      }),
    ),
    ...stars.map(({ at: [x, y], degree }, index) => {
      const isCenter = Math.hypot(x, y) < 1
      if (isCenter && !isOrnament(design.motifs[0])) return ''
      return place(heart(scene, degree, most, edge * 0.3, index), { x, y })
    }),
    isOrnament(design.motifs[0])
      ? ''
      : rings(scene, [{ inner: 0, outer: edge * 1.34, disc: 'backgroundEdge' }]) +
        roundel(scene, design.motifs[0], edge * 1.3, 0, 0),
  ].join('')
}

interface Star {
  readonly at: Point
  readonly degree: number
  readonly d: string
}

/** Stars around the corners, in the color of their number of points and their distance. */
function byColor({ palette }: Scene, stars: readonly Star[]): readonly string[] {
  const paths = new Map<string, string>()
  for (const { at, degree, d } of stars) {
    const { base, light, deep } = cyclicAt(palette.swatches, degree)
    const fill = cyclicAt([base, deep, light], Math.round(Math.hypot(...at) / 190))
    paths.set(fill, (paths.get(fill) ?? '') + d)
  }
  return Array.from(paths, ([fill, d]) => path(d, { fill, stroke: fill, width: 1.2 }))
}

/** What is in the middle of a star: the second motif in those with most points, else a small flower. */
function heart(
  { design, palette }: Scene,
  degree: number,
  most: number,
  radius: number,
  index: number,
): string {
  const colors = motifColors(palette, degree + 2)
  if (degree === most && degree > 5) {
    return (
      circle(0, 0, radius, { fill: palette.background, stroke: palette.stroke, width: 2.4 }) +
      medallion(design.motifs[index % 2] ?? design.motifs[0], radius * 0.8, motifColors(palette, 0))
    )
  }
  const flower = inked(
    petal(0, radius * 0.62, radius * 0.34, 'leaf'),
    colors.primary.light,
    palette.stroke,
    1.4,
  )
  return around(flower, degree) + circle(0, 0, radius * 0.14, { fill: colors.secondary.base })
}

/**
 * Tiling of rhombs that is dual to grids of parallel lines in all directions (de Bruijn): each crossing of two lines is a
 * rhomb. For five directions it is Penrose's, for four that of Ammann and Beenker.
 *
 * @returns corners of each rhomb, and the number of directions between its edges: its width
 */
function tiling(canvas: Canvas, directions: number, edge: number) {
  const turn = directions === 5 ? 72 : 180 / directions
  const axes = Array.from({ length: directions }, (_, index) => polar(1, index * turn + 90))
  const shift = directions === 5 ? 0.4 : 0.5
  // The tiling is larger than its grids by this factor.
  const growth = (edge * directions) / 2
  const [reachX, reachY] = [canvas.halfWidth / growth + 1.2, canvas.halfHeight / growth + 1.2]
  const steps = stepsTo(Math.ceil(Math.hypot(reachX, reachY)))
  return axes.flatMap(([ax, ay], first) =>
    axes.slice(first + 1).flatMap(([bx, by], offset) => {
      const apart = offset + 1
      const determinant = ax * by - ay * bx
      return steps.flatMap((m) =>
        steps.flatMap((n) => {
          const [p, q] = [m + shift, n + shift]
          const [x, y] = [(p * by - q * ay) / determinant, (q * ax - p * bx) / determinant]
          if (Math.abs(x) > reachX || Math.abs(y) > reachY) return []
          const corner = axes.reduce<Point>(
            (sum, axis, index) => {
              const before = Math.floor(axis[0] * x + axis[1] * y - shift + 1e-9) + 1
              const number = index === first ? m : index === first + apart ? n : before
              return [sum[0] + edge * number * axis[0], sum[1] + edge * number * axis[1]]
            },
            [0, 0],
          )
          const isVisible =
            Math.abs(corner[0]) < canvas.halfWidth + 2 * edge &&
            Math.abs(corner[1]) < canvas.halfHeight + 2 * edge
          if (!isVisible) return []
          const at = (i: number, j: number): Point => [
            corner[0] + edge * (i * ax + j * bx),
            corner[1] + edge * (i * ay + j * by),
          ]
          const corners: NonEmpty<Point> = [corner, at(1, 0), at(1, 1), at(0, 1)]
          return [{ corners, width: Math.min(apart, directions - apart) }]
        }),
      )
    }),
  )
}

/** Point before a corner where the straps of its two edges meet. */
function towards(corner: Point, diagonal: Point, edge: number, contact: number): Point {
  const [x, y] = [diagonal[0] - corner[0], diagonal[1] - corner[1]]
  const length = Math.hypot(x, y)
  const half = Math.acos(Math.min(1, length / edge))
  const angle = (contact * Math.PI) / 180
  const distance = ((edge / 2) * Math.sin(angle)) / Math.sin(half + angle)
  return [corner[0] + (x / length) * distance, corner[1] + (y / length) * distance]
}

function middle(a: Point, b: Point): Point {
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
}
