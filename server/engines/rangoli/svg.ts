/**
 * A point of the image. Lengths are pixels of the 1,024-pixel square, the origin is its center, angles are degrees, 0 is up,
 * clockwise.
 */
export type Point = readonly [x: number, y: number]

export interface Style {
  readonly fill?: string
  readonly stroke?: string
  readonly width?: number
  readonly opacity?: number
  readonly dash?: string
}

/** Formats a number with one decimal, so that platform differences of sine and cosine do not reach the image. */
export function num(value: number): string {
  return String(Math.round(value * 10) / 10 + 0)
}

export function polar(radius: number, angle: number): Point {
  const radians = (angle * Math.PI) / 180
  return [radius * Math.sin(radians), -radius * Math.cos(radians)]
}

export function xy(point: Point): string {
  return `${num(point[0])} ${num(point[1])}`
}

export function path(d: string, style: Style): string {
  return `<path d="${d}"${attributes(style)}/>`
}

export function inked(d: string, fill: string, stroke: string, width: number): string {
  return path(d, { fill, stroke, width })
}

export function circle(x: number, y: number, radius: number, style: Style): string {
  return `<circle cx="${num(x)}" cy="${num(y)}" r="${num(radius)}"${attributes(style)}/>`
}

export function ellipse(x: number, y: number, rx: number, ry: number, style: Style): string {
  return `<ellipse cx="${num(x)}" cy="${num(y)}" rx="${num(rx)}" ry="${num(ry)}"${attributes(style)}/>`
}

export function rect(x: number, y: number, width: number, height: number, style: Style): string {
  const box = `x="${num(x)}" y="${num(y)}" width="${num(width)}" height="${num(height)}"`
  return `<rect ${box}${attributes(style)}/>`
}

/** Draws a dot at each point, all in one element. */
export function dots(points: readonly Point[], radius: number, fill: string, opacity = 1): string {
  const d = points.map((point) => `M${xy(point)}h0`).join('')
  return path(d, { stroke: fill, width: radius * 2, opacity })
}

/** Path of straight lines through the points and back to the first. */
export function polygon(points: readonly Point[]): string {
  return `M${points.map(xy).join('L')}Z`
}

export interface Placement {
  readonly x?: number
  readonly y?: number
  readonly angle?: number
  readonly scale?: number
  /** Mirrors left and right before the other transforms. */
  readonly flip?: boolean
}

export function place(
  content: string,
  { x = 0, y = 0, angle = 0, scale = 1, flip = false }: Placement,
): string {
  const transforms = [
    x !== 0 || y !== 0 ? `translate(${num(x)} ${num(y)})` : '',
    angle !== 0 ? `rotate(${round3(angle)})` : '',
    scale !== 1 || flip ? `scale(${(flip ? -1 : 1) * round3(scale)} ${round3(scale)})` : '',
  ]
  return `<g transform="${transforms.join('')}">${content}</g>`
}

/** Draws the content and its mirror image, left and right. */
export function mirrored(content: string): string {
  return content + place(content, { flip: true })
}

/**
 * Draws the content `count` times around the center, the first rotated by `offset` degrees.
 *
 * @param missing index of a copy that is left out
 */
export function around(content: string, count: number, offset = 0, missing = -1): string {
  const id = contentId(content)
  const copies = Array.from({ length: count }, (_, index) =>
    index === missing
      ? ''
      : `<use href="#${id}" transform="rotate(${round3(offset + (index * 360) / count)})"/>`,
  )
  return `<defs><g id="${id}">${content}</g></defs>${copies.join('')}`
}

export function copiesAt(content: string, points: readonly Point[]): string {
  const id = contentId(content)
  const copies = points.map(([x, y]) => `<use href="#${id}" x="${num(x)}" y="${num(y)}"/>`)
  return `<defs><g id="${id}">${content}</g></defs>${copies.join('')}`
}

/**
 * Gradient from the center of the bounding box to its edge, or from its top to its bottom, of colors that are evenly spaced.
 *
 * @returns a fill, and the element that must precede the shapes that use it
 */
export function gradient(kind: 'radial' | 'linear', colors: readonly string[]) {
  const step = 1 / Math.max(1, colors.length - 1)
  const stops = colors.map((color, index) => `<stop offset="${round3(index * step)}" stop-color="${color}"/>`)
  const content = stops.join('')
  const id = contentId(kind + content)
  const direction = kind === 'linear' ? ' x1="0" y1="0" x2="0" y2="1"' : ''
  const definition = `<${kind}Gradient id="${id}"${direction}>${content}</${kind}Gradient>`
  return { fill: `url(#${id})`, definition }
}

function attributes({ fill = 'none', stroke, width, opacity = 1, dash }: Style): string {
  return [
    ` fill="${fill}"`,
    stroke === undefined ? '' : ` stroke="${stroke}"`,
    width === undefined ? '' : ` stroke-width="${num(width)}"`,
    opacity === 1 ? '' : ` opacity="${round3(opacity)}"`,
    dash === undefined ? '' : ` stroke-dasharray="${dash}"`,
  ].join('')
}

function round3(value: number): number {
  return Math.round(value * 1000) / 1000
}

/** Derives an id from the content (FNV-1a), so that ids need no counter; equal content may share one. */
function contentId(content: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < content.length; index++) {
    hash = Math.imul(hash ^ content.charCodeAt(index), 0x01000193)
  }
  return `s${(hash >>> 0).toString(36)}`
}
