import type { Image, SucceededImage } from '../../../shared/images.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { readStored, store } from '../../browser/apis.ts'
import { draftKey } from './creation-context.tsx'
import { defaultOptions, isRecord, parseOptions, type FormOptions } from './form-options.ts'

/** A user's unshared work. Survives a reload, and is readable by that user only. */
export interface Draft {
  readonly name: string
  readonly prompt: string
  readonly options: FormOptions
  /** The image to share. */
  readonly image: SucceededImage | null
  /** Images of the batch that `image` belongs to, succeeded and failed ones; empty if it was generated alone. */
  readonly batch: readonly Image[]
  /** Ids of the images that are being generated for this draft. */
  readonly awaited: readonly string[]
}

/** Creates an empty draft with the user's first name. */
export function emptyDraft(viewer: Viewer): Draft {
  return {
    name: viewer.firstName,
    prompt: '',
    options: defaultOptions,
    image: null,
    batch: [],
    awaited: [],
  }
}

/** Returns the user's draft of this tab; an empty one if none is stored or the stored one is invalid. */
export function readDraft(viewer: Viewer): Draft {
  return parseDraft(readStored('sessionStorage', draftKey), viewer.id) ?? emptyDraft(viewer)
}

/** Saves a draft in this tab, so that it survives a reload. */
export function saveDraft(draft: Draft, viewerId: string): void {
  store('sessionStorage', draftKey, JSON.stringify({ ...draft, viewerId }))
}

/** Parses a saved draft. Another version of this page, or another site on the same host, may have written it. */
export function parseDraft(saved: string | null, viewerId: string): Draft | null {
  const value = parseJson(saved)
  if (!isRecord(value) || value['viewerId'] !== viewerId) return null
  const { name, prompt, options, image, batch, awaited } = value
  if (typeof name !== 'string' || typeof prompt !== 'string') return null
  if (image !== null && !isSucceededImage(image)) return null
  return {
    name,
    prompt,
    options: parseOptions(options),
    image,
    batch: Array.isArray(batch) && batch.every(isShownImage) ? batch : [],
    // Earlier versions saved one id, or null.
    awaited: [awaited].flat().filter((id) => typeof id === 'string'),
  }
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

function isShownImage(value: unknown): value is Image {
  if (isSucceededImage(value)) return true
  return isRecord(value) && value['state'] === 'failed' && typeof value['id'] === 'string'
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
