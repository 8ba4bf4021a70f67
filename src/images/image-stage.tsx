import { useRef, type PointerEvent } from 'react'
import { lazyPart } from '../ui/loading.tsx'
import type { Comparison } from './compare.tsx'
import styles from './image-viewer.module.css'
import type { ShownImage } from './image.tsx'
import { useZoom } from './use-zoom.ts'
import { WholeImage } from './whole-image.tsx'

const Compare = lazyPart(async () => (await import('./compare.tsx')).Compare)

/** Movement in pixels from which a press is a drag, and from which a drag is a swipe. */
const dragDistance = 8
const swipeDistance = 60

const doubleTapMs = 300

/** A press, and what it has become. */
interface Drag {
  readonly start: readonly [number, number]
  readonly scroll: readonly [left: number, top: number, sheet: number]
  /** `own`: of a control over the image. */
  axis: 'none' | 'x' | 'y' | 'pan' | 'own'
}

/**
 * An image as large as fits. A click, a double tap or a pinch enlarges it, up to its own pixels and beyond; then it is moved
 * by dragging or scrolling. Swipes go to the next and previous image, pull up what is below, and close.
 */
export function ImageStage(props: {
  image: ShownImage
  /** What it is compared with. */
  other: Comparison | undefined
  text: string
  /** Goes to the image in the direction of reading, 1, or against it, -1. */
  onStep: (step: 1 | -1) => void
  onClose: () => void
  /** Element that scrolls to what is below the stage. */
  sheet: () => HTMLElement | null
}) {
  const { image, onClose, sheet } = props
  const scroller = useRef<HTMLDivElement>(null)
  const zoom = useZoom(scroller, image)
  const isZoomed = zoom.width !== null
  const drag = useRef<Drag | null>(null)
  const lastTap = useRef(0)
  const isTouch = useRef(false)

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0) return
    isTouch.current = event.pointerType === 'touch'
    const { scrollLeft = 0, scrollTop = 0 } = scroller.current ?? {}
    const start = [event.clientX, event.clientY] as const
    const axis = event.target instanceof HTMLInputElement ? 'own' : 'none'
    drag.current = { start, scroll: [scrollLeft, scrollTop, sheet()?.scrollTop ?? 0], axis }
    move(0, 0)
    zoom.press(event)
  }

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    const { current: press } = drag
    const change = zoom.move(event)
    if (!press || change === null) return
    if (change === 'pinch') {
      press.axis = 'pan'
      return
    }
    const [x, y] = [event.clientX - press.start[0], event.clientY - press.start[1]]
    if (press.axis === 'own') return
    if (press.axis === 'none') {
      if (Math.hypot(x, y) < dragDistance || !(isZoomed || isTouch.current)) return
      press.axis = isZoomed ? 'pan' : Math.abs(x) > Math.abs(y) ? 'x' : 'y'
      event.currentTarget.setPointerCapture(event.pointerId)
    }
    const [left, top, sheetTop] = press.scroll
    if (press.axis === 'pan')
      scroller.current?.scrollTo({ left: left - x, top: top - y, behavior: 'instant' })
    else if (press.axis === 'x') move(x, 0)
    else if (sheetTop > 0 || y < 0) sheet()?.scrollTo({ top: sheetTop - y, behavior: 'instant' })
    else move(0, y)
  }

  function onPointerUp(event: PointerEvent<HTMLElement>) {
    const { current: press } = drag
    if (!zoom.release(event) || !press) return
    const [x, y] = [event.clientX - press.start[0], event.clientY - press.start[1]]
    move(0, 0)
    if (event.type === 'pointercancel') return
    const isMirrored = document.documentElement.dir === 'rtl'
    if (press.axis === 'x' && Math.abs(x) > swipeDistance) props.onStep(x > 0 === isMirrored ? 1 : -1)
    if (press.axis !== 'y') return
    const element = sheet()
    if (press.scroll[2] === 0 && y > swipeDistance) onClose()
    // As far as it goes, or back.
    else if (element)
      element.scrollTo({ top: y < -swipeDistance ? element.clientHeight / 2 : 0, behavior: 'smooth' })
  }

  function move(x: number, y: number) {
    scroller.current?.style.setProperty('--moved', x === 0 && y === 0 ? 'none' : `${x}px ${y}px`)
  }

  const sizes = `${Math.round(zoom.width ?? 1280)}px`
  return (
    <div
      ref={scroller}
      // Scroll positions are counted from the left.
      dir="ltr"
      role="presentation"
      className={styles['scroller']}
      data-zoomed={isZoomed || undefined}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onClickCapture={(event) => {
        // A key also causes a click, possibly long after a drag.
        if (event.detail === 0 || !drag.current || drag.current.axis === 'none') return
        event.preventDefault()
        event.stopPropagation()
      }}
      onClick={(event) => event.target === event.currentTarget && !isTouch.current && onClose()}
    >
      {props.other ? (
        <Compare image={image} other={props.other} sizes={sizes} width={zoom.width ?? undefined} />
      ) : (
        <WholeImage
          image={image}
          text={props.text}
          className={styles['whole']}
          sizes={sizes}
          style={zoom.width === null ? undefined : { width: zoom.width }}
          onOpen={({ clientX, clientY, detail, timeStamp }) => {
            const isTap = isTouch.current && detail > 0
            // Of two quick taps, Chrome may report the second only.
            const isSecond = detail > 1 || timeStamp - lastTap.current < doubleTapMs
            lastTap.current = isSecond ? 0 : timeStamp
            if (!isTap || isSecond)
              zoom.toggle(detail > 0 ? zoom.anchorAt(clientX, clientY) : zoom.anchorAt())
          }}
        />
      )}
    </div>
  )
}
