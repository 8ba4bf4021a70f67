import { useEffectEvent, useLayoutEffect, useRef, type PointerEvent } from 'react'
import type { EngineCapabilities } from '../../../../shared/engines.ts'
import { fitUrl } from '../../../../shared/image-files.ts'
import type { SucceededImage } from '../../../../shared/images.ts'
import viewer from '../../../images/image-viewer.module.css'
import { useZoom } from '../../../images/use-zoom.ts'
import {
  drawStroke,
  extend,
  marginsOf,
  paintMask,
  sides,
  type Point,
  type Side,
  type Step,
  type Stroke,
} from './mask.ts'
import styles from './mask-editor.module.css'

export type Tool = 'brush' | 'eraser' | 'rectangle' | 'extend' | 'move'

/** Longest side of the canvas on the screen: a mask needs no more, and phones have little memory. */
const maxCanvasSide = 1024

/** What a pointer does while it is pressed: it paints, moves the image, or changes one step after those before. */
type Press =
  | (Stroke & { readonly points: Point[] })
  | { readonly kind: 'pan'; at: Point }
  | { readonly kind: 'step'; readonly steps: readonly Step[]; readonly stepTo: (point: Point) => Step }

/** The image with its mask over it, and the pointers that paint, extend, zoom and move. */
export function MaskStage(props: {
  image: SucceededImage
  steps: readonly Step[]
  tool: Tool
  /** Diameter of the brush on the screen, in pixels: enlarged, it paints finer. */
  brush: number
  capabilities: EngineCapabilities
  /** Adds a step to some; null for none. */
  onStep: (steps: readonly Step[], step: Step | null) => void
  onWheel: (event: WheelEvent) => void
}) {
  const { image, steps, tool, brush, onStep } = props
  const scroller = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const press = useRef<Press | null>(null)
  const margins = marginsOf(steps)
  const share = (side: Side) =>
    margins[side] / (side === 'left' || side === 'right' ? image.width : image.height)
  // Leaves space to drag the sides, or for what is new.
  const fit = tool === 'extend' ? 0.32 : 1 / (1 + 2 * Math.max(...sides.map(share)))
  const zoom = useZoom(scroller, image, { fit, onWheel: props.onWheel })
  const canvasScale = Math.min(1, maxCanvasSide / Math.max(image.width, image.height))

  /** Returns the canvas to draw on, in pixels of the image, in the color of its style. */
  function prepare() {
    const context = canvas.current?.getContext('2d')
    if (!canvas.current || !context) throw new Error('The browser has no canvas.')
    context.setTransform(canvasScale, 0, 0, canvasScale, 0, 0)
    context.fillStyle = context.strokeStyle = getComputedStyle(canvas.current).color
    return context
  }

  const repaint = useEffectEvent((shown: readonly Step[]) => paintMask(prepare(), shown, image))
  useLayoutEffect(() => repaint(steps), [steps])

  function pointOf({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): Point {
    const { left = 0, top = 0, width = 1 } = canvas.current?.getBoundingClientRect() ?? {}
    const scale = image.width / width
    return [(clientX - left) * scale, (clientY - top) * scale]
  }

  function begin(event: PointerEvent<HTMLElement>): Press {
    const from = pointOf(event)
    const { dataset } = event.target as HTMLElement
    const side = sides.find((one) => one === dataset['side'])
    if (side) {
      const axis = side === 'left' || side === 'right' ? 0 : 1
      const direction = side === 'left' || side === 'top' ? -1 : 1
      const stepTo = (point: Point): Step => {
        const wanted = { ...margins, [side]: margins[side] + (point[axis] - from[axis]) * direction }
        return { kind: 'extend', margins: extend(wanted, image, props.capabilities) }
      }
      return { kind: 'step', steps, stepTo }
    }
    if (event.button === 1 || tool === 'move' || tool === 'extend')
      return { kind: 'pan', at: [event.clientX, event.clientY] }
    if (tool === 'rectangle')
      return { kind: 'step', steps, stepTo: (to) => ({ kind: 'rectangle', corners: [from, to] }) }
    const size = (brush * image.width) / (canvas.current?.clientWidth ?? image.width)
    const stroke: Press & Stroke = { kind: 'stroke', erases: tool === 'eraser', size, points: [from] }
    drawStroke(prepare(), stroke)
    return stroke
  }

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    if (event.button > 1) return
    event.currentTarget.setPointerCapture(event.pointerId)
    // A second finger zooms: what the first one has begun was not meant.
    const isPinch = zoom.press(event)
    if (isPinch && press.current?.kind === 'step') onStep(press.current.steps, null)
    else if (isPinch) paintMask(prepare(), steps, image)
    press.current = isPinch ? null : begin(event)
  }

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    const { current } = press
    if (zoom.move(event) !== 'move' || !current) return
    const point = pointOf(event)
    if (current.kind === 'pan') {
      const [x, y] = current.at
      scroller.current?.scrollBy({ left: x - event.clientX, top: y - event.clientY, behavior: 'instant' })
      current.at = [event.clientX, event.clientY]
    } else if (current.kind === 'step') {
      onStep(current.steps, current.stepTo(point))
    } else {
      const drawn = current.points.length
      // Sites over plain HTTP do not get the points between two frames.
      const { nativeEvent } = event
      const passed = 'getCoalescedEvents' in nativeEvent ? nativeEvent.getCoalescedEvents() : []
      current.points.push(...passed.map(pointOf), point)
      drawStroke(prepare(), current, drawn)
    }
  }

  function onPointerUp(event: PointerEvent<HTMLElement>) {
    const { current } = press
    zoom.release(event)
    press.current = null
    if (current?.kind === 'stroke') onStep(steps, current)
  }

  const outside = (['top', 'right', 'bottom', 'left'] as const).map((side) => `${-100 * share(side)}%`)
  const ring = `<svg xmlns="http://www.w3.org/2000/svg" width="${brush}" height="${brush}"><circle cx="50%" cy="50%" r="${brush / 2 - 1}" fill="none" stroke="white"/><circle cx="50%" cy="50%" r="${brush / 2 - 2}" fill="none" stroke="black"/></svg>`
  const style: object = {
    '--ratio': image.width / image.height,
    '--fit': fit,
    '--brush': `url('data:image/svg+xml,${encodeURIComponent(ring)}') ${brush / 2} ${brush / 2}, crosshair`,
    ...(zoom.width !== null && { width: zoom.width }),
  }
  return (
    <div
      ref={scroller}
      // Positions are counted from the left.
      dir="ltr"
      role="presentation"
      className={viewer['scroller']}
      data-zoomed={zoom.width !== null || undefined}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
    >
      <div className={`layers ${styles['frame']}`} data-tool={tool} style={style}>
        <span className={styles['new']} style={{ inset: outside.join(' ') }}>
          {tool === 'extend' && sides.map((side) => <span key={side} data-side={side} />)}
        </span>
        <img src={fitUrl(image.photo, 1280)} alt="" draggable={false} />
        <canvas
          ref={canvas}
          width={Math.round(image.width * canvasScale)}
          height={Math.round(image.height * canvasScale)}
        />
      </div>
    </div>
  )
}
