import { useEffect, useEffectEvent } from 'react'

/** Calls the latest `onEvent` for events of the window while the component is mounted. */
export function useWindowEvent<Type extends keyof WindowEventMap>(
  type: Type,
  onEvent: (event: WindowEventMap[Type]) => unknown,
): void {
  const handle = useEffectEvent(onEvent)
  useEffect(() => {
    const stop = new AbortController()
    addEventListener(type, (event) => void handle(event), { signal: stop.signal })
    return () => stop.abort()
  }, [type])
}
