import { useEffect, useSyncExternalStore } from 'react'
import { messages } from '../../../shared/errors.ts'
import type { Quota } from '../../../shared/images.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { trpc } from '../../api/trpc.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { useCached } from './creation-context.tsx'
import { CreationStore, formFailure, type FormFailure } from './creation-store.ts'
import { useDailyCount } from './use-daily-count.ts'
import { useSharing } from './use-sharing.ts'

/** The way of a draft from words to an image in the gallery, and what goes wrong on it. */
export function useCreation(viewer: Viewer) {
  const store = useStore(viewer)
  const state = useSyncExternalStore(store.subscribe, store.getState, store.getState)
  const { share, isBusy: isSharing } = useSharing()
  const quota = useDailyCount()
  const { draft } = state
  useEffect(() => store.show(), [store])
  useEffect(() => store.rename(viewer), [store, viewer])

  function fail(found: FormFailure) {
    store.fail(found)
    window.alert(found.message)
  }

  return {
    ...state,
    change: store.change,
    pickUp: store.pickUp,
    cancel: store.cancel,
    dismissFailure: () => store.fail(null),
    isSharing,
    promptDiffers:
      draft.image !== null && draft.prompt.trim() !== '' && !isSamePrompt(draft.image.prompt, draft.prompt),

    async generate() {
      if (!draft.prompt.trim()) return fail(refusal(messages.promptMissing))
      if (quota && isUsedUp(quota)) return fail(refusal(messages.dailyLimit))
      await store.generate()
    },

    async share() {
      if (!draft.prompt.trim() || !draft.image) return fail(refusal(messages.shareIncomplete))
      store.fail(null)
      try {
        const shared = { name: draft.name, prompt: draft.prompt, imageId: draft.image.id }
        await share(shared, () => store.clearShared(shared))
      } catch (error) {
        fail(formFailure(error, messages.shareFailed))
      }
    },
  }
}

export type Creation = ReturnType<typeof useCreation>

function useStore(viewer: Viewer): CreationStore {
  const api = trpc.useUtils()
  const announce = useAnnounce()
  return useCached(viewer.id, () => {
    const { images } = api.client
    return new CreationStore(viewer, {
      async generate(request, signal) {
        const {
          images: [image],
        } = await images.generate.mutate(request, { signal })
        if (!image) throw new Error('The server answered without an image.')
        return image
      },
      watch(imageId, watcher) {
        const subscription = images.watch.subscribe(
          { ids: [imageId] },
          {
            onData: ({ data }) => watcher.onEvent(data),
            onConnectionStateChange({ state, error }) {
              if (state === 'pending') watcher.onConnected(true)
              else if (state === 'connecting' && error) watcher.onConnected(false)
            },
            onError: (error) => watcher.onEnd(error),
            onComplete: () => watcher.onEnd(null),
          },
        )
        return () => subscription.unsubscribe()
      },
      cancel: (id) => images.cancel.mutate({ id }),
      announce,
      alert: (sentence) => window.alert(sentence),
      imagesChanged() {
        void api.images.list.invalidate()
        void api.images.quota.invalidate()
      },
      now: () => Date.now(),
    })
  })
}

function refusal(message: string): FormFailure {
  return { message, needsSignIn: false }
}

/** Whether the day's images are all made, and the day is not over yet. */
function isUsedUp({ used, limit, resetsAt }: Quota): boolean {
  return used >= limit && Date.parse(resetsAt) > Date.now()
}

/** Whether two prompts differ in more than how their characters are put together, which the server evens out. */
function isSamePrompt(one: string, other: string): boolean {
  return one.normalize().trim() === other.normalize().trim()
}
