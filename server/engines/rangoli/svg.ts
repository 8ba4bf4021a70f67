/** Lengths are pixels of the 1,024-pixel image; the origin is its middle; angles are degrees, 0 up, clockwise. */
export type Point = readonly [x: number, y: number]

export interface Paint {
  readonly fill?: string
  readonly stroke?: string
  readonly width?: number
  readonly opacity?: number
  readonly dash?: string
}

/** A number as it is written: one decimal, so that the last bits of a sine never reach the image. */
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

export function path(d: string, paint: Paint): string {
  return `<path d="${d}"${attributes(paint)}/>`
}

export function circle(x: number, y: number, radius: number, paint: Paint): string {
  return `<circle cx="${num(x)}" cy="${num(y)}" r="${num(radius)}"${attributes(paint)}/>`
}

export function ellipse(x: number, y: number, rx: number, ry: number, paint: Paint): string {
  return `<ellipse cx="${num(x)}" cy="${num(y)}" rx="${num(rx)}" ry="${num(ry)}"${attributes(paint)}/>`
}

export function rect(x: number, y: number, width: number, height: number, paint: Paint): string {
  const box = `x="${num(x)}" y="${num(y)}" width="${num(width)}" height="${num(height)}"`
  return `<rect ${box}${attributes(paint)}/>`
}

/** A dot of powder for each point, in one element. */
export function dots(points: readonly Point[], radius: number, fill: string, opacity = 1): string {
  const d = points.map((point) => `M${xy(point)}h0`).join('')
  return path(d, { stroke: fill, width: radius * 2, opacity })
}

/** Straight lines through the points and back to the first. */
export function polygon(points: readonly Point[]): string {
  return `M${points.map(xy).join('L')}Z`
}

export interface Placement {
  readonly x?: number
  readonly y?: number
  readonly angle?: number
  readonly scale?: number
  /** Swaps left and right, before everything else. */
  readonly flip?: boolean
}

export function place(
  content: string,
  { x = 0, y = 0, angle = 0, scale = 1, flip = false }: Placement,
): string {
  const steps = [
    x !== 0 || y !== 0 ? `translate(${num(x)} ${num(y)})` : '',
    angle !== 0 ? `rotate(${Math.round(angle * 1000) / 1000})` : '',
    scale !== 1 || flip ? `scale(${(flip ? -1 : 1) * thousandths(scale)} ${thousandths(scale)})` : '',
  ]
  return `<g transform="${steps.join('')}">${content}</g>`
}

/** The content and its mirror image, left and right. */
export function mirrored(content: string): string {
  return content + place(content, { flip: true })
}

/** The content `count` times around the middle, the first one turned by `offset`. */
export function around(content: string, count: number, offset = 0): string {
  const id = contentId(content)
  const first = place(`<g id="${id}">${content}</g>`, { angle: offset })
  const step = 360 / count
  const others = Array.from({ length: count - 1 }, (_, index) => {
    return `<use href="#${id}" transform="rotate(${thousandths(offset + (index + 1) * step)})"/>`
  })
  return first + others.join('')
}

/** The content at each of the points. */
export function copiesAt(content: string, points: readonly Point[]): string {
  const id = contentId(content)
  const copies = points.map(([x, y]) => `<use href="#${id}" x="${num(x)}" y="${num(y)}"/>`)
  return `<defs><g id="${id}">${content}</g></defs>${copies.join('')}`
}

/** A fill that runs from the middle of the shape's box to its edge. */
export function radialGradient(stops: readonly string[]): {
  readonly fill: string
  readonly definition: string
} {
  const content = gradientStops(stops)
  const id = contentId(`radial${content}`)
  return { fill: `url(#${id})`, definition: `<radialGradient id="${id}">${content}</radialGradient>` }
}

/** A fill that runs from the top of the shape's box to its foot. */
export function linearGradient(stops: readonly string[]): {
  readonly fill: string
  readonly definition: string
} {
  const content = gradientStops(stops)
  const id = contentId(`linear${content}`)
  const direction = 'x1="0" y1="0" x2="0" y2="1"'
  return {
    fill: `url(#${id})`,
    definition: `<linearGradient id="${id}" ${direction}>${content}</linearGradient>`,
  }
}

function gradientStops(colours: readonly string[]): string {
  const step = 1 / Math.max(1, colours.length - 1)
  return colours
    .map((colour, index) => `<stop offset="${thousandths(index * step)}" stop-color="${colour}"/>`)
    .join('')
}

function attributes({ fill = 'none', stroke, width, opacity = 1, dash }: Paint): string {
  return [
    ` fill="${fill}"`,
    stroke === undefined ? '' : ` stroke="${stroke}"`,
    width === undefined ? '' : ` stroke-width="${num(width)}"`,
    opacity === 1 ? '' : ` opacity="${thousandths(opacity)}"`,
    dash === undefined ? '' : ` stroke-dasharray="${dash}"`,
  ].join('')
}

function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000
}

/** An id that follows from the content (FNV-1a): equal content may share it, so nobody has to count. */
function contentId(content: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < content.length; index++) {
    hash = Math.imul(hash ^ content.charCodeAt(index), 0x01000193)
  }
  return `s${(hash >>> 0).toString(36)}`
}
