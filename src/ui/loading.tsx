import { useLingui } from '@lingui/react/macro'
import { Component, useSyncExternalStore, type ComponentType, type ReactNode } from 'react'
import { Button } from './button.tsx'
import styles from './loading.module.css'
import { Notice } from './notice.tsx'

export const spinnerClass = `${styles['spinner']} ${styles['small']}`

/** An indeterminate progress indicator. */
export function Spinner({ label, size = 'small' }: { label: string; size?: 'small' | 'large' }) {
  return <span role="progressbar" aria-label={label} className={`${styles['spinner']} ${styles[size]}`} />
}

export function PageSpinner() {
  const { t } = useLingui()
  return <Spinner label={t`Loading the page`} size="large" />
}

/** A placeholder of the size of content that is loading. */
export function Skeleton({ shape }: { shape: 'line' | 'control' | 'area' | 'square' | 'pill' }) {
  return <span aria-hidden="true" className={`${styles['skeleton']} ${styles[shape]}`} />
}

/** A component of a module that is loaded when it is first rendered. */
export type LazyPart<Props> = ComponentType<Props> & {
  /** Loads it before. Then it renders synchronously on the server and in the first render in the browser, as hydration requires. */
  readonly load: () => Promise<void>
}

/**
 * Splits a component out of the module that renders it. If loading fails, shows an error in place; without a fallback, as for
 * dialogs, over the page.
 *
 * React's `lazy` would show it up to 0.3 s after it has loaded, as React spaces out what `Suspense` reveals.
 *
 * @param fallback rendered while loading; unless `load` was called before, also on the server and in the first render in the
 *   browser
 */
export function lazyPart<Props extends object>(
  importPart: () => Promise<ComponentType<Props>>,
  fallback: ReactNode = null,
): LazyPart<Props> {
  let result: { readonly Loaded: ComponentType<Props> } | { readonly error: unknown } | null = null
  let loading: Promise<void> | null = null
  let isPreloaded = false
  const listeners = new Set<() => void>()

  async function loadOnce() {
    try {
      result = { Loaded: await importPart() }
    } catch (error) {
      // The next that needs it loads it again, in browsers that keep no failed modules.
      loading = null
      if (listeners.size > 0) result = { error }
      throw error
    } finally {
      for (const listener of listeners) listener()
    }
  }

  async function load() {
    await (loading ??= loadOnce())
    isPreloaded = true
  }

  function subscribe(listener: () => void) {
    listeners.add(listener)
    // The boundary shows the error.
    void (loading ??= loadOnce()).catch(() => {})
    return () => {
      listeners.delete(listener)
      // The next one that is rendered loads it again.
      if (listeners.size === 0 && result && 'error' in result) result = null
    }
  }

  function Part(props: Props) {
    const loaded = useSyncExternalStore(
      subscribe,
      () => result,
      () => (isPreloaded ? result : null),
    )
    if (!loaded) return fallback
    if ('error' in loaded) throw loaded.error
    return <loaded.Loaded {...props} />
  }

  function LazyPart(props: Props) {
    return (
      <LoadBoundary floats={fallback === null}>
        <Part {...props} />
      </LoadBoundary>
    )
  }
  return Object.assign(LazyPart, { load })
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
