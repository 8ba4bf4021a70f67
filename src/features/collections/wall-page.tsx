import { useLingui } from '@lingui/react/macro'
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
  type CSSProperties,
  type RefObject,
} from 'react'
import { useLocation, useSearchParams } from 'wouter'
import type { Collection } from '../../../shared/collections.ts'
import type { Post, PostPage } from '../../../shared/posts.ts'
import { collectionPath, matchPath, pagePaths } from '../../../shared/routes.ts'
import { describeFailure } from '../../api/failure.ts'
import { trpc } from '../../api/trpc.ts'
import { arrowStep, hasModifier } from '../../browser/apis.ts'
import { useHydrated } from '../../browser/hydration.ts'
import { useWindowEvent } from '../../browser/use-window-event.ts'
import { averageColor, sourceSet } from '../../images/image.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Spinner } from '../../ui/loading.tsx'
import { UserText, VisuallyHidden } from '../../ui/text.tsx'
import { NotFoundPage } from '../not-found/not-found-page.tsx'
import { CollectionLoader } from './collection-loader.tsx'
import * as decks from './deck.ts'
import styles from './wall.module.css'

const defaultSeconds = 10
/** Below, an image would not finish fading. */
const minSeconds = 2
const maxSeconds = 3_600

/** Interval of looks for new posts. */
const refreshMs = 30_000
/** While looks fail, their intervals grow with the time since the last one that succeeded, between these. */
const minRetryMs = 2_000
const maxRetryMs = 5 * 60_000

/** Time without input after which the controls disappear. */
const idleMs = 3_000

/** A full-screen slideshow of a collection, which runs by itself for as long as the page is open. */
export function WallPage() {
  const id = matchPath(pagePaths.wall, useLocation()[0]) ?? ''
  return (
    <CollectionLoader id={id}>{(collection) => <Wall key={id} collection={collection} />}</CollectionLoader>
  )
}

function Wall({ collection }: { collection: Collection }) {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const [query] = useSearchParams()
  const asked = Number(query.get('seconds')) || defaultSeconds
  const seconds = Math.min(maxSeconds, Math.max(minSeconds, asked))
  const { deck, setDeck, failure } = useDeck(collection.id)
  const [isPaused, setIsPaused] = useState(false)
  const [outgoing, setOutgoing] = useState<Post | null>(null)
  /** Number of changes of the image. */
  const [turn, setTurn] = useState(0)
  const wall = useRef<HTMLDivElement>(null)
  const isActive = useActivity(wall)
  const fullScreen = useFullScreen()
  useWakeLock()
  const shown = deck && decks.shownIn(deck)
  const upcoming = deck && decks.upcomingIn(deck)
  // The image that fades out, the one that fades in, and the next one, which loads.
  const layers = new Map([outgoing, shown, upcoming].flatMap((post) => (post ? [[post.id, post]] : [])))

  function move(by: 1 | -1) {
    if (!deck) return
    setOutgoing(shown)
    setDeck(decks.step(deck, by))
    setTurn(turn + 1)
  }
  const leaveOut = (id: string) => setDeck((now) => now && decks.without(now, id))
  const leave = () => navigate(collectionPath(collection.id))

  /** Goes on once the next image has loaded. */
  async function advance(signal: AbortSignal) {
    try {
      await wall.current?.querySelector<HTMLImageElement>('img[data-next]')?.decode()
    } catch {
      return leaveOut(upcoming?.id ?? '')
    }
    if (!signal.aborted) move(1)
  }

  // Hidden, private or deleted since, as what it shows may be.
  const isGone = failure?.reason === 'not_found'
  useWindowEvent('keydown', (event) => {
    if (isGone || hasModifier(event)) return
    const by = arrowStep(event.key)
    if (by !== 0) move(by)
    else if (event.key === 'Escape') leave()
    else if (event.key === 'f') fullScreen?.toggle()
    else if (event.key === ' ' && !(event.target instanceof HTMLButtonElement)) setIsPaused(!isPaused)
    else return
    event.preventDefault()
  })

  if (isGone) return <NotFoundPage />
  return (
    <div
      ref={wall}
      className={styles['wall']}
      data-idle={!isActive || undefined}
      style={shown ? ({ '--average': averageColor(shown.placeholder) } as CSSProperties) : undefined}
    >
      <h1 tabIndex={-1}>
        <VisuallyHidden>
          <UserText text={collection.title} />
        </VisuallyHidden>
      </h1>
      {[...layers.values()].map((post) => (
        <img
          key={post.id}
          className={`contain ${styles['image']}`}
          src={post.photo}
          srcSet={sourceSet(post)}
          sizes={`min(100vw, ${((100 * post.width) / post.height).toFixed()}vh)`}
          alt={post === shown ? post.prompt : ''}
          data-shown={post === shown || undefined}
          data-next={(post === upcoming && post !== shown) || undefined}
          onError={() => leaveOut(post.id)}
        />
      ))}
      {!isPaused && <Pace key={`${turn} ${upcoming?.id}`} seconds={seconds} onEnd={advance} />}
      {shown && (
        <div key={turn} className={`stack tightest appearing ${styles['caption']}`}>
          {shown.prompt && <UserText as="p" text={shown.prompt} className={`clamp ${styles['prompt']}`} />}
          <UserText as="p" text={shown.name} className="ellipsis" />
        </div>
      )}
      {!shown && (
        <div className={styles['empty']}>
          {deck ? (
            <p>{t`Images appear here as soon as someone adds them to the collection.`}</p>
          ) : (
            <>
              <noscript>
                <a href={collectionPath(collection.id)}>{collection.title}</a>
              </noscript>
              <Spinner label={t`Loading the images`} size="large" />
            </>
          )}
        </div>
      )}
      {isActive && (
        <div className={`row centered appearing ${styles['controls']}`}>
          {failure && <p>{t`The server does not respond. The images that are loaded go on.`}</p>}
          <Control label={t`Previous image`} icon="M12.5 4 6.5 10l6 6" isMirrored onPress={() => move(-1)} />
          <Control
            label={isPaused ? t`Continue` : t`Pause`}
            icon={isPaused ? 'M6.5 4v12l9-6z' : 'M7 4v12M13 4v12'}
            isMirrored={isPaused}
            onPress={() => setIsPaused(!isPaused)}
          />
          <Control label={t`Next image`} icon="m7.5 4 6 6-6 6" isMirrored onPress={() => move(1)} />
          {fullScreen && (
            <Control
              label={fullScreen.isOn ? t`Leave full screen` : t`Full screen`}
              icon="M3.5 8V3.5H8M12 3.5h4.5V8M16.5 12v4.5H12M8 16.5H3.5V12"
              onPress={fullScreen.toggle}
            />
          )}
          <Control label={t`Leave the wall`} icon="m4 4 12 12M16 4 4 16" onPress={leave} />
        </div>
      )}
    </div>
  )
}

/** Waits for the time of an image. */
function Pace({ seconds, onEnd }: { seconds: number; onEnd: (signal: AbortSignal) => Promise<void> }) {
  const end = useEffectEvent(onEnd)
  useEffect(() => {
    const stop = new AbortController()
    const timer = setTimeout(() => void end(stop.signal), seconds * 1_000)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [seconds])
  return null
}

function Control(props: { label: string; icon: string; isMirrored?: boolean; onPress: () => void }) {
  return (
    <button
      type="button"
      className="iconButton"
      aria-label={props.label}
      title={props.label}
      onClick={props.onPress}
    >
      <Icon className={props.isMirrored ? styles['mirrored'] : undefined} path={props.icon} />
    </button>
  )
}

/** Loads the posts of a collection part by part, and looks for new ones, also after the server was away. */
function useDeck(collectionId: string) {
  const [deck, setDeck] = useState<decks.Deck | null>(null)
  const [mountedAt] = useState(() => Date.now())
  const list = { collectionId, limit: decks.deckSize }
  const { data, error } = trpc.posts.list.useQuery(list, {
    staleTime: 0,
    retry: false,
    // The same in each rendering, as another one would start the wait again.
    refetchInterval: ({ state }) =>
      state.status === 'error'
        ? retryDelay(state.errorUpdatedAt - (state.dataUpdatedAt || mountedAt))
        : refreshMs,
  })
  const polled = { gcTime: 0, staleTime: 0, retry: false, refetchInterval: refreshMs }
  const cursor = deck?.cursor ?? undefined
  const { data: part } = trpc.posts.list.useQuery(
    { ...list, cursor },
    { ...polled, enabled: cursor !== undefined },
  )
  const [seen, setSeen] = useState<readonly (PostPage | undefined)[]>([])
  if (data && part && (data !== seen[0] || part !== seen[1])) {
    setSeen([data, part])
    setDeck(deck ? decks.refresh(deck, data, part) : decks.openDeck(data))
  }
  const next = deck && decks.needsFollowing(deck) ? deck.next : undefined
  const { data: following } = trpc.posts.list.useQuery(
    { ...list, cursor: next ?? undefined },
    { ...polled, enabled: next !== undefined },
  )
  if (deck && following && next !== undefined) setDeck(decks.withFollowing(deck, following))
  return { deck, setDeck, failure: error && describeFailure(error) }
}

function retryDelay(outageMs: number): number {
  return Math.min(maxRetryMs, Math.max(minRetryMs, outageMs / 2))
}

const activityEvents = ['pointermove', 'pointerdown', 'keydown'] as const

/** Reports whether the pointer has moved or a key was pressed a moment ago, or the keyboard is in the controls. */
function useActivity(wall: RefObject<HTMLElement | null>): boolean {
  const [isActive, setIsActive] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const rest = () => {
    if (wall.current?.querySelector(':focus-visible')) timer.current = setTimeout(rest, idleMs)
    else setIsActive(false)
  }
  useWindowEvent(activityEvents, () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(rest, idleMs)
    setIsActive(true)
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return isActive
}

/** The full screen, where the browser has one; it does not on iPhones. */
function useFullScreen() {
  const isPossible = useHydrated() && document.fullscreenEnabled
  const isOn = useSyncExternalStore(
    (listener) => {
      document.addEventListener('fullscreenchange', listener)
      return () => document.removeEventListener('fullscreenchange', listener)
    },
    () => document.fullscreenElement !== null,
    () => false,
  )
  if (!isPossible) return null
  return {
    isOn,
    // Rejected where the system does not allow it.
    toggle: () =>
      void (isOn ? document.exitFullscreen() : document.documentElement.requestFullscreen()).catch(() => {}),
  }
}

/** Keeps the screen on while the page is visible, where the browser allows it: with HTTPS. */
function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    let isOver = false
    async function acquire() {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
      // Rejected with a low battery.
      lock = await navigator.wakeLock.request('screen').catch(() => undefined)
      if (isOver) void lock?.release()
    }
    const onChange = () => void acquire()
    onChange()
    document.addEventListener('visibilitychange', onChange)
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', onChange)
      void lock?.release()
    }
  }, [])
}
