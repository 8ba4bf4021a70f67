import type { SucceededImage } from '../../../shared/images.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { readStored, store } from '../../browser/apis.ts'

/** A user's unshared work. Survives a reload, and is readable by that user only. */
export interface Draft {
  readonly name: string
  readonly prompt: string
  readonly image: SucceededImage | null
  /** Id of the image that is being generated for this draft; null if there is none. */
  readonly awaited: string | null
}

const storageKey = 'draft'
const channelName = 'drafts'

/** Creates an empty draft with the user's first name. */
export function emptyDraft(viewer: Viewer): Draft {
  return { name: viewer.firstName, prompt: '', image: null, awaited: null }
}

/** Returns the user's draft of this tab; an empty one if none is stored or the stored one is invalid. */
export function readDraft(viewer: Viewer): Draft {
  return parseDraft(readStored('sessionStorage', storageKey), viewer.id) ?? emptyDraft(viewer)
}

/** Saves a draft in this tab, so that it survives a reload. */
export function saveDraft(draft: Draft, viewerId: string): void {
  store('sessionStorage', storageKey, JSON.stringify({ ...draft, viewerId }))
}

/** Deletes the saved draft of this tab. */
export function clearDraft(): void {
  store('sessionStorage', storageKey, null)
}

/** Deletes the saved drafts of all tabs of this browser. */
export function clearDrafts(): void {
  clearDraft()
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(null)
  channel.close()
}

/** Deletes this tab's draft when another tab calls `clearDrafts`. Returns a function that stops listening. */
export function syncClearedDrafts(): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', clearDraft)
  return () => channel.close()
}

/** Parses a saved draft. Another version of this page, or another site on the same host, may have written it. */
export function parseDraft(saved: string | null, viewerId: string): Draft | null {
  const value = parseJson(saved)
  if (!isRecord(value) || value['viewerId'] !== viewerId) return null
  const { name, prompt, image, awaited = null } = value
  if (typeof name !== 'string' || typeof prompt !== 'string') return null
  if (image !== null && !isSucceededImage(image)) return null
  return { name, prompt, image, awaited: typeof awaited === 'string' ? awaited : null }
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isSucceededImage(value: unknown): value is SucceededImage {
  if (!isRecord(value) || value['state'] !== 'succeeded') return false
  const strings = ['id', 'prompt', 'photo', 'placeholder', 'engine'].map((key) => value[key])
  const numbers = ['width', 'height'].map((key) => value[key])
  return (
    strings.every((string) => typeof string === 'string') &&
    numbers.every((number) => typeof number === 'number')
  )
}
