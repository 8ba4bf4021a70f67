import { useEffect, useEffectEvent, useCallback, useRef, useSyncExternalStore } from 'react'

/**
 * Calls the latest `onEvent` for events of the window while the component is mounted.
 *
 * @param types one type, or the same list of types in each rendering
 */
export function useWindowEvent<Type extends keyof WindowEventMap>(
  types: Type | readonly Type[],
  onEvent: (event: WindowEventMap[Type]) => unknown,
): void {
  const handle = useEffectEvent(onEvent)
  useEffect(() => {
    const stop = new AbortController()
    for (const type of [types].flat() as Type[])
      addEventListener(type, (event) => void handle(event), { signal: stop.signal })
    return () => stop.abort()
  }, [types])
}

/** Returns the same function in every render, for memoized components. It calls the one of the latest render. */
export function useStable<Input extends unknown[], Output>(
  call: (...input: Input) => Output,
): (...input: Input) => Output {
  const latest = useRef(call)
  useEffect(() => {
    latest.current = call
  })
  return useCallback((...input) => latest.current(...input), [])
}

/** Event on the document: the page is hydrated. */
export const hydrationEnd = 'hydration-end'

const subscribe = () => () => {}

/** False on the server and in the first render in the browser, which must agree; true afterwards. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  )
}
