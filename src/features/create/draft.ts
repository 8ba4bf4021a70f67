import { withoutEscapes } from '../../../shared/expand-prompt.ts'
import type { Image, SucceededImage } from '../../../shared/images.ts'
import { draftKey, readStored, store } from '../../browser/apis.ts'
import { defaultOptions, type FormOptions } from './form-options.ts'

/** A user's unshared work. Survives a reload, and is readable by that user only. */
export interface Draft {
  /** As the user has typed it; null: their first name. */
  readonly name: string | null
  readonly prompt: string
  readonly options: FormOptions
  /** The image to share. */
  readonly image: SucceededImage | null
  /** Images of the batch that `image` belongs to, succeeded and failed ones; empty if it was generated alone. */
  readonly batch: readonly Image[]
  /** Ids of the images that are being generated in this tab, by batch. */
  readonly awaited: readonly (readonly string[])[]
}

export const emptyDraft: Draft = {
  name: null,
  prompt: '',
  options: defaultOptions,
  image: null,
  batch: [],
  awaited: [],
}

/** Returns the prompt of a post of the draft: the one that made its image. An upload, also an enlarged one, has the one in the form. */
export function promptToShare({ image, prompt }: Draft): string {
  return image?.recipe && image.prompt !== '' ? image.prompt : withoutEscapes(prompt)
}

/** Compares prompts after Unicode normalization, which the server applies too. */
export function isSamePrompt(one: string, other: string): boolean {
  return one.normalize().trim() === other.normalize().trim()
}

/** Changes with the form of drafts: one that was saved in another form is ignored. */
const draftVersion = 4

/** A draft as it is stored, with its user. */
type SavedDraft = Draft & { readonly version: number; readonly viewerId: string }

/** Returns the user's draft of this tab; an empty one without any, or if it was saved in another form. */
export function readDraft(viewerId: string): Draft {
  try {
    const saved = JSON.parse(readStored('sessionStorage', draftKey) ?? 'null') as SavedDraft | null
    if (saved?.version === draftVersion && saved.viewerId === viewerId) return saved
  } catch {
    // Another site of the same host may have written it.
  }
  return emptyDraft
}

/** Saves a draft in this tab, so that it survives a reload; nothing for an empty one. */
export function saveDraft(draft: Draft, viewerId: string): void {
  const saved: SavedDraft = { ...draft, version: draftVersion, viewerId }
  const isEmpty = JSON.stringify(draft) === JSON.stringify(emptyDraft)
  store('sessionStorage', draftKey, isEmpty ? null : JSON.stringify(saved))
}
