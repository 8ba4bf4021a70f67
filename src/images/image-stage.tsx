import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
  type PointerEvent,
  type RefObject,
} from 'react'
import { hasModifier, isTyping } from '../browser/apis.ts'
import styles from './image-viewer.module.css'
import type { ShownImage } from './image.tsx'
import { WholeImage } from './whole-image.tsx'

/** Factor of one key press, and the largest width, as a multiple of the original or of the window. */
const zoomStep = 1.5
const maxZoom = 4

/** Movement in pixels from which a press is a drag, and from which a drag is a swipe. */
const dragDistance = 8
const swipeDistance = 60

const doubleTapMs = 300

/** A point of the image, as a part of its width and height, and where it is in the window. */
interface Anchor {
  readonly part: readonly [number, number]
  readonly at: readonly [number, number]
}

/** A press, and what it has become. */
interface Drag {
  readonly start: readonly [number, number]
  readonly scroll: readonly [left: number, top: number, sheet: number]
  axis: 'none' | 'x' | 'y' | 'pan'
}

interface Pinch extends Pick<Anchor, 'part'> {
  readonly distance: number
  readonly width: number
}

/**
 * An image as large as fits. A click, a double tap or a pinch enlarges it, up to its own pixels and beyond; then it is moved
 * by dragging or scrolling. Swipes go to the next and previous image, pull up what is below, and close.
 */
export function ImageStage(props: {
  image: ShownImage
  text: string
  /** Goes to the image in the direction of reading, 1, or against it, -1. */
  onStep: (step: 1 | -1) => void
  onClose: () => void
  /** Element that scrolls to what is below the stage. */
  sheet: () => HTMLElement | null
}) {
  const { image, onClose, sheet } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [zoom, setZoom] = useState<(Anchor & { readonly width: number }) | null>(null)
  const pointers = useRef(new Map<number, readonly [number, number]>())
  const drag = useRef<Drag | null>(null)
  const pinch = useRef<Pinch | null>(null)
  const lastTap = useRef(0)
  const isTouch = useRef(false)
  const shown = () => imageIn(scroller)

  useLayoutEffect(() => {
    const box = imageIn(scroller)?.getBoundingClientRect()
    if (!zoom || !box) return
    scroller.current?.scrollBy({
      left: box.left + zoom.part[0] * box.width - zoom.at[0],
      top: box.top + zoom.part[1] * box.height - zoom.at[1],
      behavior: 'instant',
    })
  }, [zoom])

  function fittingWidth(): number {
    const element = scroller.current
    if (!element) return image.width
    const { paddingInline, paddingBlockStart, paddingBlockEnd } = getComputedStyle(element)
    const width = element.clientWidth - 2 * parseFloat(paddingInline)
    const height = element.clientHeight - parseFloat(paddingBlockStart) - parseFloat(paddingBlockEnd)
    return Math.min(width, (height * image.width) / image.height)
  }

  /** The part of the image that is at a point of the window, by default in the middle of the stage. */
  function anchorAt(x?: number, y?: number): Anchor | null {
    const [box, stage] = [shown()?.getBoundingClientRect(), scroller.current?.getBoundingClientRect()]
    if (!box || !stage) return null
    const at = [x ?? stage.left + stage.width / 2, y ?? stage.top + stage.height / 2] as const
    return { part: [(at[0] - box.left) / box.width, (at[1] - box.top) / box.height], at }
  }

  function zoomTo(width: number, anchor: Anchor | null): void {
    const fitting = fittingWidth()
    const largest = maxZoom * Math.max(image.width, fitting)
    setZoom(anchor && width > fitting + 1 ? { ...anchor, width: Math.min(width, largest) } : null)
  }

  function zoomBy(factor: number, anchor: Anchor | null): void {
    zoomTo((shown()?.clientWidth ?? 0) * factor, anchor)
  }

  /** Shows the image pixel by pixel, or twice as large where it already is. */
  function toggle(anchor: Anchor | null): void {
    const fitting = fittingWidth()
    if (zoom) setZoom(null)
    else zoomTo(image.width > fitting * 1.1 ? image.width : fitting * 2, anchor)
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (hasModifier(event) || isTyping(event.target)) return
    if (event.key === '+' || event.key === '=') zoomBy(zoomStep, anchorAt())
    else if (event.key === '-') zoomBy(1 / zoomStep, anchorAt())
    else if (event.key === '0') setZoom(null)
  })
  const onWheel = useEffectEvent((event: WheelEvent) => {
    // Pinches of a trackpad, too.
    if (!event.ctrlKey) return
    event.preventDefault()
    zoomBy(Math.exp(-event.deltaY / 200), anchorAt(event.clientX, event.clientY))
  })
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    scroller.current
      ?.closest('[role=dialog]')
      ?.addEventListener('keydown', (event) => onKey(event as KeyboardEvent), { signal })
    scroller.current?.addEventListener('wheel', (event) => onWheel(event), { signal, passive: false })
    return () => stop.abort()
  }, [])

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    if (event.button !== 0) return
    isTouch.current = event.pointerType === 'touch'
    const { scrollLeft = 0, scrollTop = 0 } = scroller.current ?? {}
    const start = [event.clientX, event.clientY] as const
    pointers.current.set(event.pointerId, start)
    drag.current = { start, scroll: [scrollLeft, scrollTop, sheet()?.scrollTop ?? 0], axis: 'none' }
    move(0, 0)
    const fingers = fingersOf(pointers.current)
    const anchor = fingers && anchorAt(...fingers.middle)
    pinch.current = anchor &&
      fingers && { part: anchor.part, distance: fingers.distance, width: shown()?.clientWidth ?? 0 }
  }

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    const { current: press } = drag
    if (!press || !pointers.current.has(event.pointerId)) return
    pointers.current.set(event.pointerId, [event.clientX, event.clientY])
    const [x, y] = [event.clientX - press.start[0], event.clientY - press.start[1]]
    const fingers = fingersOf(pointers.current)
    if (fingers && pinch.current) {
      press.axis = 'pan'
      const { part, distance, width } = pinch.current
      return zoomTo((width * fingers.distance) / distance, { part, at: fingers.middle })
    }
    if (press.axis === 'none') {
      if (Math.hypot(x, y) < dragDistance || !(zoom || isTouch.current)) return
      press.axis = zoom ? 'pan' : Math.abs(x) > Math.abs(y) ? 'x' : 'y'
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
    pointers.current.delete(event.pointerId)
    pinch.current = null
    if (!press || pointers.current.size > 0) return
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

  return (
    <div
      ref={scroller}
      // Scroll positions are counted from the left.
      dir="ltr"
      role="presentation"
      className={styles['scroller']}
      data-zoomed={zoom !== null || undefined}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onClickCapture={(event) => {
        if (!drag.current || drag.current.axis === 'none') return
        event.preventDefault()
        event.stopPropagation()
      }}
      onClick={(event) => event.target === event.currentTarget && !isTouch.current && onClose()}
    >
      <WholeImage
        image={image}
        text={props.text}
        className={styles['whole']}
        sizes={`${Math.round(zoom?.width ?? 1280)}px`}
        style={zoom ? { width: zoom.width } : undefined}
        onOpen={({ clientX, clientY, detail, timeStamp }) => {
          const isTap = isTouch.current && detail > 0
          // Of two quick taps, Chrome may report the second only.
          const isSecond = detail > 1 || timeStamp - lastTap.current < doubleTapMs
          lastTap.current = isSecond ? 0 : timeStamp
          if (!isTap || isSecond) toggle(detail > 0 ? anchorAt(clientX, clientY) : anchorAt())
        }}
      />
    </div>
  )
}

function imageIn({ current }: RefObject<HTMLElement | null>): HTMLElement | null {
  return current?.querySelector('img') ?? null
}

function fingersOf(pointers: ReadonlyMap<number, readonly [number, number]>) {
  const [one, other] = [...pointers.values()]
  if (!one || !other) return null
  return {
    middle: [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2] as const,
    distance: Math.hypot(one[0] - other[0], one[1] - other[1]),
  }
}
