import { useEffect, useEffectEvent } from 'react'

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
