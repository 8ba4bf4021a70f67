import { Component, Suspense } from 'react'
import type { ReactNode } from 'react'
import { useHydrated } from '../browser/hydrated.ts'
import { Button } from './button.tsx'
import styles from './lazy-part.module.css'
import { Notice } from './notice.tsx'

/**
 * A part of the page whose code is loaded when it is needed. The server and the first render in the browser
 * show the fallback; a part that cannot be loaded says so, and leaves the rest of the page alone. A part without
 * a fallback has no place of its own, as dialogs have none: its failure is shown over the page.
 */
export function LazyPart({ fallback, children }: { fallback: ReactNode; children: ReactNode }) {
  if (!useHydrated()) return fallback
  return (
    <LoadBoundary floats={fallback === null}>
      <Suspense fallback={fallback}>{children}</Suspense>
    </LoadBoundary>
  )
}

class LoadBoundary extends Component<{ floats: boolean; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <div className={this.props.floats ? styles['floating'] : undefined}>
        <Notice action={<Button onClick={() => window.location.reload()}>Reload the page</Button>}>
          This part of the page could not be loaded.
        </Notice>
      </div>
    )
  }
}
