import { useLingui } from '@lingui/react/macro'
import { Component, Suspense } from 'react'
import type { ReactNode } from 'react'
import { useHydrated } from '../browser/hydration.tsx'
import { Button } from './button.tsx'
import styles from './loading.module.css'
import { Notice } from './notice.tsx'

/** An indeterminate progress indicator. */
export function Spinner({ label, size = 'small' }: { label: string; size?: 'small' | 'large' }) {
  return <span role="progressbar" aria-label={label} className={`${styles['spinner']} ${styles[size]}`} />
}

/** A placeholder of the size of content that is loading. */
export function Skeleton({ shape }: { shape: 'line' | 'control' | 'area' | 'square' | 'pill' }) {
  return <span aria-hidden="true" className={`${styles['skeleton']} ${styles[shape]}`} />
}

/**
 * A boundary around lazily loaded components. Renders the fallback on the server, in the first render in the browser and
 * while loading. If loading fails, shows an error in place; without a fallback, as for dialogs, over the page.
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
        <LoadFailure />
      </div>
    )
  }
}

function LoadFailure() {
  const { t } = useLingui()
  return (
    <Notice action={<Button onClick={() => window.location.reload()}>{t`Reload the page`}</Button>}>
      {t`This part of the page could not be loaded.`}
    </Notice>
  )
}
