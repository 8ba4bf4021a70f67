import { store } from '../../browser/apis.ts'

// Apart from the drafts themselves, which are loaded with the form: every page clears them at sign-out.

/** Key of the saved draft in `sessionStorage`. */
export const draftKey = 'draft'
const channelName = 'drafts'

/** Deletes the saved draft of this tab. */
export function clearDraft(): void {
  store('sessionStorage', draftKey, null)
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
