import { dimensions, type EngineCapabilities, type ImageSize } from '../../../../shared/engines.ts'
import type { ImageDimensions } from '../../../../shared/image-files.ts'
import { fetchImage } from '../../../images/download-image.ts'

/** A point in pixels of the image. */
export type Point = readonly [x: number, y: number]

export interface Stroke {
  readonly kind: 'stroke'
  readonly erases: boolean
  /** Diameter in pixels of the image. */
  readonly size: number
  readonly points: readonly Point[]
}

export const sides = ['left', 'right', 'top', 'bottom'] as const

export type Side = (typeof sides)[number]

/** Pixels by which an image is extended on each side. */
export type Margins = Readonly<Record<Side, number>>

/** A change of a mask. The list of its changes is the mask, so that undoing one takes no copy of the pixels. */
export type Step =
  | Stroke
  | { readonly kind: 'rectangle'; readonly corners: readonly [Point, Point] }
  | { readonly kind: 'invert' | 'clear' }
  | { readonly kind: 'extend'; readonly margins: Margins }

export function mapSides(of: (side: Side) => number): Margins {
  return { left: of('left'), right: of('right'), top: of('top'), bottom: of('bottom') }
}

export function marginsOf(steps: readonly Step[]): Margins {
  return steps.findLast((step) => step.kind === 'extend')?.margins ?? mapSides(() => 0)
}

export function extendedSize({ width, height }: ImageDimensions, margins: Margins): ImageDimensions {
  return { width: width + margins.left + margins.right, height: height + margins.top + margins.bottom }
}

type SizeLimits = Pick<EngineCapabilities, 'sizes' | 'customSizes'>

/** Extends an image by at most its own length on each side, to a multiple of the engine chosen now. Engines scale all other sizes. */
export function extend(wanted: Margins, image: ImageDimensions, { customSizes }: SizeLimits): Margins {
  const step = customSizes?.step ?? 1
  function along(length: number, ...both: readonly [number, number]) {
    const [before = 0, after = 0] = both.map((pixels) => Math.min(Math.max(0, Math.round(pixels)), length))
    if (before + after === 0) return [0, 0] as const
    const added = Math.ceil((length + before + after) / step) * step - length
    return after > 0 ? ([before, added - before] as const) : ([added, 0] as const)
  }
  const [left, right] = along(image.width, wanted.left, wanted.right)
  const [top, bottom] = along(image.height, wanted.top, wanted.bottom)
  return { left, right, top, bottom }
}

/** Returns the size that an engine takes for an image: its own as far as possible, or that of the nearest proportions. */
export function nearestSize(
  { width, height }: ImageDimensions,
  { sizes, customSizes }: SizeLimits,
): ImageSize | null {
  if (customSizes) {
    const { min, max, step } = customSizes
    const scale = Math.min(1, max / width, max / height)
    const fit = (length: number) => Math.max(min, Math.round((length * scale) / step) * step)
    return `${fit(width)}x${fit(height)}`
  }
  const distance = (size: ImageSize) => {
    const [w, h] = dimensions(size)
    return Math.abs(Math.log((w * height) / (h * width)))
  }
  return sizes.toSorted((one, other) => distance(one) - distance(other))[0] ?? null
}

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D

/** Draws a stroke, of which all points before `from` are drawn already. */
export function drawStroke(context: Context, { erases, size, points }: Stroke, from = 0): void {
  context.globalCompositeOperation = erases ? 'destination-out' : 'source-over'
  context.lineWidth = size
  context.lineCap = context.lineJoin = 'round'
  context.beginPath()
  // A line without length has no ends, and would not show.
  for (const [x, y] of points.slice(Math.max(0, from - 1))) {
    context.lineTo(x, y)
    context.lineTo(x + 0.01, y)
  }
  context.stroke()
}

/** Paints a mask in the colors of a context, whose origin is the corner of the image. Nothing is painted beyond the image. */
export function paintMask(
  context: Context,
  steps: readonly Step[],
  { width, height }: ImageDimensions,
): void {
  context.clearRect(0, 0, width, height)
  for (const step of steps) {
    if (step.kind === 'stroke') drawStroke(context, step)
    context.globalCompositeOperation = step.kind === 'invert' ? 'source-out' : 'source-over'
    if (step.kind === 'invert') context.fillRect(0, 0, width, height)
    if (step.kind === 'clear') context.clearRect(0, 0, width, height)
    if (step.kind !== 'rectangle') continue
    const [[left, top], [right, bottom]] = step.corners
    context.fillRect(left, top, right - left, bottom - top)
  }
}

/** Longest side of a file: phones have little memory. */
const maxFileSide = 3072

/** Opens a canvas for an image with its margins, in pixels of the image, whose corner is the origin. */
function openCanvas(image: ImageDimensions, margins: Margins) {
  const { width, height } = extendedSize(image, margins)
  const scale = Math.min(1, maxFileSide / Math.max(width, height))
  const canvas = new OffscreenCanvas(Math.round(width * scale), Math.round(height * scale))
  // Read once, as a whole: no copy for the graphics processor.
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('The browser has no canvas.')
  context.scale(canvas.width / width, canvas.height / height)
  context.translate(margins.left, margins.top)
  return { canvas, context }
}

/** Encodes a canvas, and frees its memory. */
async function toFile(canvas: OffscreenCanvas, name: string, type: string): Promise<File> {
  const blob = await canvas.convertToBlob({ type, quality: 0.95 })
  canvas.width = 0
  return new File([blob], name, { type })
}

/** Encodes a mask: what changes is white, and so is all that is new. */
export async function maskFile(image: ImageDimensions, steps: readonly Step[]): Promise<File> {
  const { width, height } = image
  const margins = marginsOf(steps)
  const full = extendedSize(image, margins)
  const { canvas, context } = openCanvas(image, margins)
  // The edge of the image is drawn again, too, so that no seam shows.
  const edge = mapSides((side) => margins[side] && Math.ceil(Math.min(width, height) / 64))
  context.fillStyle = context.strokeStyle = 'white'
  context.fillRect(-margins.left, -margins.top, full.width, full.height)
  context.beginPath()
  context.rect(edge.left, edge.top, width - edge.left - edge.right, height - edge.top - edge.bottom)
  context.clip()
  paintMask(context, steps, image)
  context.globalCompositeOperation = 'destination-over'
  context.fillStyle = 'black'
  context.fillRect(0, 0, width, height)
  return toFile(canvas, 'mask.png', 'image/png')
}

/**
 * Encodes an image with its margins; null without any. They mirror it: engines that change what is there begin with fitting
 * colors.
 */
export async function extendedFile(
  image: ImageDimensions & { readonly photo: string },
  margins: Margins,
): Promise<File | null> {
  if (sides.every((side) => margins[side] === 0)) return null
  // Browsers keep several copies of what elements have decoded.
  const picture = await createImageBitmap(await fetchImage(image.photo))
  const { canvas, context } = openCanvas(image, margins)
  for (const column of [-1, 0, 1]) {
    for (const row of [-1, 0, 1]) {
      context.save()
      context.translate(column > 0 ? 2 * image.width : 0, row > 0 ? 2 * image.height : 0)
      context.scale(column === 0 ? 1 : -1, row === 0 ? 1 : -1)
      context.drawImage(picture, 0, 0, image.width, image.height)
      context.restore()
    }
  }
  picture.close()
  return toFile(canvas, 'extended.jpg', 'image/jpeg')
}
