import { useCallback, useRef, useState } from 'react'
import type { ReadyImage } from '../../shared/images.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { readStored, store } from '../browser/storage.ts'

/** What a person is making: kept over a reload, and for that person only. */
export interface Draft {
  readonly name: string
  readonly prompt: string
  readonly image: ReadyImage | null
}

interface StoredDraft extends Draft {
  readonly viewerId: string
}

const storageKey = 'draft'

/** The draft of the person signed in; `change` also works, and keeps, after the form has gone. */
export function useDraft(viewer: Viewer) {
  const [draft, setDraft] = useState(() => readDraft(viewer))
  const latest = useRef(draft)

  const change = useCallback(
    (patch: Partial<Draft>) => {
      latest.current = { ...latest.current, ...patch }
      const kept: StoredDraft = { ...latest.current, viewerId: viewer.id }
      store('sessionStorage', storageKey, JSON.stringify(kept))
      setDraft(latest.current)
    },
    [viewer.id],
  )

  return { draft, change, forget: forgetDraft }
}

function forgetDraft(): void {
  store('sessionStorage', storageKey, null)
}

function readDraft(viewer: Viewer): Draft {
  const kept = JSON.parse(readStored('sessionStorage', storageKey) ?? 'null') as StoredDraft | null
  if (kept?.viewerId === viewer.id) return { name: kept.name, prompt: kept.prompt, image: kept.image }
  return { name: viewer.firstName, prompt: '', image: null }
}
