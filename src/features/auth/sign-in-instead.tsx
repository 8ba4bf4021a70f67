import { useRef } from 'react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { useSession } from './session.ts'

/**
 * For a question that can't be answered before one signs in again: a button that leads there, and what to call once
 * the question is closed. One dialog at a time: by then it has given the focus back.
 */
export function useSignInInstead(close: () => void): { button: ReactNode; afterClosed: () => void } {
  const isWanted = useRef(false)
  const { openSignIn } = useSession()
  function signIn() {
    isWanted.current = true
    close()
  }
  return {
    button: <Button onClick={signIn}>Sign In</Button>,
    afterClosed() {
      if (isWanted.current) openSignIn()
    },
  }
}
