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
import type { ImageDimensions } from '../../shared/image-files.ts'

/** Factor of one key press, and the largest width, as a multiple of the original or of the window. */
const zoomStep = 1.5
const maxZoom = 4

/** A point of the content, as a part of its width and height, and where it is in the window. */
interface Anchor {
  readonly part: readonly [number, number]
  readonly at: readonly [number, number]
}

interface Pinch extends Pick<Anchor, 'part'> {
  readonly distance: number
  readonly width: number
}

/**
 * Enlarges the first element of a scroller, by keys of its dialog, pinches and the wheel.
 *
 * @param size pixels of the content
 * @param options.fit part of the scroller that the content fills at first; by default all of it
 * @param options.onWheel called where the wheel does not zoom
 */
export function useZoom(
  scroller: RefObject<HTMLElement | null>,
  size: ImageDimensions,
  { fit = 1, onWheel }: { readonly fit?: number; readonly onWheel?: (event: WheelEvent) => void } = {},
) {
  const [zoom, setZoom] = useState<(Anchor & { readonly width: number }) | null>(null)
  const pointers = useRef(new Map<number, readonly [number, number]>())
  const pinch = useRef<Pinch | null>(null)
  const content = () => scroller.current?.firstElementChild ?? null

  useLayoutEffect(() => {
    const box = scroller.current?.firstElementChild?.getBoundingClientRect()
    if (!zoom || !box) return
    scroller.current?.scrollBy({
      left: box.left + zoom.part[0] * box.width - zoom.at[0],
      top: box.top + zoom.part[1] * box.height - zoom.at[1],
      behavior: 'instant',
    })
  }, [scroller, zoom])

  function fittingWidth(): number {
    const element = scroller.current
    if (!element) return size.width
    const { paddingInline, paddingBlockStart, paddingBlockEnd } = getComputedStyle(element)
    const width = element.clientWidth - 2 * parseFloat(paddingInline)
    const height = element.clientHeight - parseFloat(paddingBlockStart) - parseFloat(paddingBlockEnd)
    return fit * Math.min(width, (height * size.width) / size.height)
  }

  /** The part of the content that is at a point of the window, by default in the middle of the scroller. */
  function anchorAt(x?: number, y?: number): Anchor | null {
    const [box, stage] = [content()?.getBoundingClientRect(), scroller.current?.getBoundingClientRect()]
    if (!box || !stage) return null
    const at = [x ?? stage.left + stage.width / 2, y ?? stage.top + stage.height / 2] as const
    return { part: [(at[0] - box.left) / box.width, (at[1] - box.top) / box.height], at }
  }

  function zoomTo(width: number, anchor: Anchor | null): void {
    const fitting = fittingWidth()
    const largest = maxZoom * Math.max(size.width, fitting)
    setZoom(anchor && width > fitting + 1 ? { ...anchor, width: Math.min(width, largest) } : null)
  }

  function zoomBy(factor: number, anchor: Anchor | null): void {
    zoomTo((content()?.clientWidth ?? 0) * factor, anchor)
  }

  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (hasModifier(event) || isTyping(event.target)) return
    if (event.key === '+' || event.key === '=') zoomBy(zoomStep, anchorAt())
    else if (event.key === '-') zoomBy(1 / zoomStep, anchorAt())
    else if (event.key === '0') setZoom(null)
  })
  const handleWheel = useEffectEvent((event: WheelEvent) => {
    // Pinches of a trackpad, too.
    if (!event.ctrlKey) return onWheel?.(event)
    event.preventDefault()
    zoomBy(Math.exp(-event.deltaY / 200), anchorAt(event.clientX, event.clientY))
  })
  useEffect(() => {
    const stop = new AbortController()
    const { signal } = stop
    scroller.current
      ?.closest('[role=dialog]')
      ?.addEventListener('keydown', (event) => handleKey(event as KeyboardEvent), { signal })
    scroller.current?.addEventListener('wheel', (event) => handleWheel(event), { signal, passive: false })
    return () => stop.abort()
  }, [scroller])

  return {
    /** Null while the content is as large as fits. */
    width: zoom?.width ?? null,
    anchorAt,

    /** Shows the content pixel by pixel, or twice as large where it already is; then as it was. */
    toggle(anchor: Anchor | null): void {
      const fitting = fittingWidth()
      if (zoom) setZoom(null)
      else zoomTo(size.width > fitting * 1.1 ? size.width : fitting * 2, anchor)
    },

    /** Notes a pointer that is pressed. @returns whether it is the second one, which begins a pinch */
    press({ pointerId, clientX, clientY }: PointerEvent): boolean {
      pointers.current.set(pointerId, [clientX, clientY])
      const fingers = fingersOf(pointers.current)
      const anchor = fingers && anchorAt(...fingers.middle)
      const width = content()?.clientWidth ?? 0
      pinch.current = anchor && fingers && { part: anchor.part, distance: fingers.distance, width }
      return pinch.current !== null
    },

    /** @returns `pinch` if the pointers zoomed, `move` for the only one that is pressed, null for others */
    move({ pointerId, clientX, clientY }: PointerEvent): 'pinch' | 'move' | null {
      if (!pointers.current.has(pointerId)) return null
      pointers.current.set(pointerId, [clientX, clientY])
      const fingers = fingersOf(pointers.current)
      if (!fingers || !pinch.current) return 'move'
      const { part, distance, width } = pinch.current
      zoomTo((width * fingers.distance) / distance, { part, at: fingers.middle })
      return 'pinch'
    },

    /** @returns whether it was the last one */
    release({ pointerId }: PointerEvent): boolean {
      pointers.current.delete(pointerId)
      pinch.current = null
      return pointers.current.size === 0
    },
  }
}

function fingersOf(pointers: ReadonlyMap<number, readonly [number, number]>) {
  const [one, other] = [...pointers.values()]
  if (!one || !other) return null
  return {
    middle: [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2] as const,
    distance: Math.hypot(one[0] - other[0], one[1] - other[1]),
  }
}
