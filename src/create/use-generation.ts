import { useRef, useState } from 'react'
import type { ReadyImage } from '../../shared/images.ts'
import { trpc } from '../api/trpc.ts'
import { newRequestKey } from './request-key.ts'

/**
 * Has pictures made, one at a time: a second call while one is being made does nothing and gives null.
 * `ahead` is how many other pictures the server makes first.
 */
export function useGeneration() {
  const api = trpc.useUtils()
  const [ahead, setAhead] = useState(0)
  const [isBusy, setIsBusy] = useState(false)
  const isRunning = useRef(false)

  async function generate(prompt: string): Promise<ReadyImage | null> {
    // The state is for the screen; two clicks can come before it has changed.
    if (isRunning.current) return null
    isRunning.current = true
    setIsBusy(true)
    try {
      const events = await api.client.images.generate.mutate({ prompt, requestKey: newRequestKey() })
      for await (const event of events) {
        if (event.type === 'ready') return event.image
        setAhead(event.type === 'queued' ? event.position : 0)
      }
      throw new Error('The stream ended before the picture was ready')
    } finally {
      isRunning.current = false
      setIsBusy(false)
      setAhead(0)
      void api.images.quota.invalidate()
    }
  }

  return { generate, isBusy, ahead }
}
