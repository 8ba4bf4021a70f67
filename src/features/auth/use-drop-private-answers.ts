import { useQueryClient } from '@tanstack/react-query'
import { getQueryKey } from '@trpc/react-query'
import { useEffect, useRef } from 'react'
import { trpc } from '../../api/trpc.ts'

/** Forgets what the server told one user before another one could see it. */
export function useDropPrivateQueries(viewerId: string | undefined): void {
  const queryClient = useQueryClient()
  const previous = useRef(viewerId)
  useEffect(() => {
    if (previous.current && previous.current !== viewerId) {
      void queryClient.resetQueries({ queryKey: getQueryKey(trpc.images) })
    }
    previous.current = viewerId
  }, [queryClient, viewerId])
}
