import { useCallback, useEffect, useRef } from 'react'

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
