import type { SucceededImage } from '../../../shared/images.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { readStored, store } from '../../browser/apis.ts'

/** What a user is making: kept over a reload, and for that user only. */
export interface Draft {
  readonly name: string
  readonly prompt: string
  readonly image: SucceededImage | null
  /** Id of the image that this draft waits for, made by a job of the server's; null while it waits for none. */
  readonly awaited: string | null
}

const storageKey = 'draft'
const channelName = 'drafts'

/** An empty draft, signed with the user's own name. */
export function freshDraft(viewer: Viewer): Draft {
  return { name: viewer.firstName, prompt: '', image: null, awaited: null }
}

/** What this tab keeps of the user's draft; a fresh one where that is nothing, or nothing we understand. */
export function readDraft(viewer: Viewer): Draft {
  return parseDraft(readStored('sessionStorage', storageKey), viewer.id) ?? freshDraft(viewer)
}

/** Keeps a draft over a reload of this tab. */
export function keepDraft(draft: Draft, viewerId: string): void {
  store('sessionStorage', storageKey, JSON.stringify({ ...draft, viewerId }))
}

/** Keeps nothing any more. */
export function forgetDraft(): void {
  store('sessionStorage', storageKey, null)
}

/** Keeps nothing any more, in whatever tab of this browser. */
export function forgetDrafts(): void {
  forgetDraft()
  const channel = new BroadcastChannel(channelName)
  channel.postMessage(null)
  channel.close()
}

/** Has this tab keep nothing any more when another one says so; returns how to stop listening. */
export function forgetDraftWithOthers(): () => void {
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', forgetDraft)
  return () => channel.close()
}

/** Reads what was kept; another version of this page, or another site on the same host, may have written it. */
export function parseDraft(kept: string | null, viewerId: string): Draft | null {
  const value = parseJson(kept)
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
  const texts = ['id', 'prompt', 'photo', 'placeholder', 'engine'].map((key) => value[key])
  const numbers = ['width', 'height'].map((key) => value[key])
  return (
    texts.every((text) => typeof text === 'string') && numbers.every((number) => typeof number === 'number')
  )
}
