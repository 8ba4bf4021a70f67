import { useEffect, useRef } from 'react'

/** Work that is canceled by a button, and when the component is removed. */
export function useCancelable() {
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  return {
    begin: () => (running.current = new AbortController()).signal,
    cancel: () => running.current?.abort(),
  }
}
