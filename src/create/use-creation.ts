import { useState } from 'react'
import { messages } from '../../shared/errors.ts'
import type { Quota } from '../../shared/images.ts'
import type { Viewer } from '../../shared/viewer.ts'
import { useAnnounce } from '../ui/announcer.tsx'
import type { FormFailure } from './form-failure.ts'
import { formFailure } from './form-failure.ts'
import { useDailyCount } from './use-daily-count.ts'
import { useDraft } from './use-draft.ts'
import { useGeneration } from './use-generation.ts'
import { useSharing } from './use-sharing.ts'

/** The way of a draft from words to a picture in the gallery, and what goes wrong on it. */
export function useCreation(viewer: Viewer) {
  const { draft, change, forget } = useDraft(viewer)
  const { generate, isBusy: isGenerating, ahead } = useGeneration()
  const { share, isBusy: isSharing } = useSharing()
  const [failure, setFailure] = useState<FormFailure | null>(null)
  const quota = useDailyCount()
  const announce = useAnnounce()

  function fail(found: FormFailure) {
    setFailure(found)
    window.alert(found.message)
  }

  return {
    draft,
    change,
    failure,
    dismissFailure: () => setFailure(null),
    isGenerating,
    isSharing,
    ahead,
    promptDiffers: draft.image !== null && !isSamePrompt(draft.image.prompt, draft.prompt),

    async generate() {
      if (!draft.prompt.trim()) return fail(refusal(messages.promptMissing))
      if (quota && isUsedUp(quota)) return fail(refusal(messages.dailyLimit))
      setFailure(null)
      try {
        const image = await generate(draft.prompt)
        if (!image) return
        change({ image })
        announce('Your picture is ready.')
      } catch (error) {
        fail(formFailure(error, messages.generateFailed))
      }
    },

    async share() {
      if (!draft.prompt.trim() || !draft.image) return fail(refusal(messages.shareIncomplete))
      setFailure(null)
      try {
        await share({ name: draft.name, prompt: draft.prompt, imageId: draft.image.id }, forget)
      } catch (error) {
        fail(formFailure(error, messages.shareFailed))
      }
    },
  }
}

function refusal(message: string): FormFailure {
  return { message, needsSignIn: false }
}

/** Whether the day's pictures are all made, and the day is not over yet. */
function isUsedUp({ used, limit, resetsAt }: Quota): boolean {
  return used >= limit && Date.parse(resetsAt) > Date.now()
}

/** Whether two prompts differ in more than how their characters are put together, which the server evens out. */
function isSamePrompt(one: string, other: string): boolean {
  return one.normalize().trim() === other.normalize().trim()
}
