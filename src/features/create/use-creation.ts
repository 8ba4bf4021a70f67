import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useSyncExternalStore } from 'react'
import type { Engine } from '../../../shared/engines.ts'
import {
  isSucceeded,
  type Image,
  type Quota,
  type Recipe,
  type SucceededImage,
} from '../../../shared/images.ts'
import { seedMax } from '../../../shared/limits.ts'
import { pagePaths } from '../../../shared/routes.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { specifiedMessages } from '../../api/failure-messages.ts'
import { describeFailure } from '../../api/failure.ts'
import { trpc } from '../../api/trpc.ts'
import { useAnnounce, useToast } from '../../ui/announcer.tsx'
import { shorten } from '../../ui/text.tsx'
import { useCachedCreation } from './creation-context.tsx'
import { CreationStore, formFailure, type FormFailure } from './creation-store.ts'
import { isDefault, optionInputs, type FormOptions, type ReferenceImage } from './form-options.ts'
import { applyRecipe, type AppliedSettings } from './import-settings/apply-settings.ts'
import { notifyWhenHidden } from './notifications.ts'
import { useDailyCount } from './use-daily-count.ts'
import { useEngines } from './use-engines.ts'
import { useSharing, type SharingOptions } from './use-sharing.ts'

/** Returns the user's draft with its state, and the actions that generate and share its image. */
export function useCreation(viewer: Viewer) {
  const { i18n, t } = useLingui()
  const store = useStore(viewer)
  const api = trpc.useUtils()
  const state = useSyncExternalStore(store.subscribe, store.getState, store.getState)
  const { share, isBusy: isSharing } = useSharing()
  const quota = useDailyCount()
  const left = quota && Math.max(0, Math.min(quota.limit - quota.used, quota.siteRemaining ?? Infinity))
  const engines = useEngines()
  const { draft } = state
  useEffect(() => store.rename(viewer), [store, viewer])

  function fail(failure: FormFailure) {
    store.fail(failure)
    window.alert(failure.message)
  }

  async function generate(options: FormOptions, prompt?: string) {
    if (!(prompt ?? draft.prompt).trim()) return fail(formError(i18n._(specifiedMessages.promptMissing)))
    if (quota && isExhausted(quota)) return fail(formError(i18n._(specifiedMessages.dailyLimit)))
    const count = Math.min(options.count, Math.max(left ?? options.count, 1))
    // Right after loading the page: options that were chosen before must not get lost.
    const isTooEarly = engines.list.length === 0 && !engines.hasFailed && !isDefault(options)
    const list = isTooEarly ? await engines.load() : engines.list
    await store.generate(optionInputs({ ...options, count }, list), prompt)
  }

  /** Loads the reference images of a recipe, in their order, without those that were deleted. */
  async function findReferences({ referenceImageIds }: Recipe): Promise<ReferenceImage[]> {
    const { images } = api.client
    const found = await Promise.all(referenceImageIds.map((id) => images.get.query({ id }).catch(() => null)))
    return found.flatMap((image) =>
      image && isSucceeded(image) && !image.isHidden
        ? { id: image.id, photo: image.photo, placeholder: image.placeholder }
        : [],
    )
  }

  return {
    ...state,
    engines,
    /** Number of images that the user may still generate today; null until known. */
    left,
    show: store.show,
    change: store.change,
    changeOptions: store.changeOptions,
    findReferences,
    choose: store.choose,
    remove: store.remove,
    pickUp: store.pickUp,
    cancel: store.cancel,
    dismissFailure: () => store.fail(null),
    isSharing,
    promptDiffers:
      draft.image !== null && draft.prompt.trim() !== '' && !isSamePrompt(draft.image.prompt, draft.prompt),

    generate: () => generate(draft.options),

    /** Puts a prompt into the form and generates an image of it. */
    async generateFrom(prompt: string) {
      store.change({ prompt })
      await generate(store.getState().draft.options, prompt)
    },

    /** Puts settings of another image into the form, and returns them. */
    async apply(settingsFor: (options: FormOptions, list: readonly Engine[]) => AppliedSettings) {
      const list = engines.list.length > 0 ? engines.list : await engines.load()
      const applied = settingsFor(store.getState().draft.options, list)
      const { prompt, options } = applied
      store.change({ options, ...(prompt && { prompt }) })
      return applied
    },

    /** Puts the prompt and the settings of a post into the form, whose images are remixes of it from then on. */
    async remix(postId: string) {
      try {
        const post = await api.client.posts.get.query({ id: postId })
        const list = engines.list.length > 0 ? engines.list : await engines.load()
        const { id, name, prompt, photo, placeholder, isSensitive } = post
        // Reference images belong to the author of the post.
        const recipe = post.recipe && { ...post.recipe, referenceImageIds: [] }
        const { options } = store.getState().draft
        store.change({
          prompt,
          options: {
            ...(recipe ? applyRecipe(recipe, options, list, []).options : options),
            remix: { id, name, prompt, photo, placeholder, isSensitive },
          },
          image: null,
          batch: [],
        })
      } catch (error) {
        const isGone = describeFailure(error).reason === 'not_found'
        store.fail(
          isGone
            ? formError(t`The post that you want to remix is no longer there.`)
            : formFailure(error, msg`The post could not be loaded. Choose Remix on its page again.`, i18n),
        )
      }
    },

    /** Generates an image again with another seed. The form takes its settings, but keeps the prompt that was typed. */
    async vary({ engineKind }: SucceededImage, recipe: Recipe) {
      const references = await findReferences(recipe)
      if (references.length < recipe.referenceImageIds.length) {
        return fail(formError(t`A reference image of this image could not be found.`))
      }
      const applied = applyRecipe(recipe, store.getState().draft.options, engines.list, references)
      const seed = engineKind === 'rangoli' ? ((recipe.seed ?? 0) + 1) % (seedMax + 1) : null
      const options = { ...applied.options, seed }
      store.change({ options })
      await generate(options, recipe.prompt)
    },

    /** Generates an image again with its settings, which the form takes with its prompt. */
    async retry({ prompt, recipe }: Image) {
      const references = recipe ? await findReferences(recipe) : []
      const { options } = store.getState().draft
      const applied = recipe ? applyRecipe(recipe, options, engines.list, references).options : options
      const once = { ...applied, count: 1 }
      store.change({ prompt, options: once })
      await generate(once, prompt)
    },

    async share(options: SharingOptions) {
      if (!draft.prompt.trim() || !draft.image)
        return fail(formError(i18n._(specifiedMessages.shareIncomplete)))
      store.fail(null)
      try {
        const shared = { name: draft.name, prompt: draft.prompt, imageId: draft.image.id }
        await share({ ...shared, ...options }, () => store.clearShared(shared))
      } catch (error) {
        fail(formFailure(error, specifiedMessages.shareFailed, i18n))
      }
    },
  }
}

export type Creation = ReturnType<typeof useCreation>

function useStore(viewer: Viewer): CreationStore {
  const { i18n, t } = useLingui()
  const api = trpc.useUtils()
  const announce = useAnnounce()
  const toast = useToast()
  return useCachedCreation(viewer.id, (report) => {
    const { images } = api.client
    return new CreationStore(viewer, {
      async generate(request, signal) {
        const accepted = await images.generate.mutate(request, { signal })
        if (accepted.images.length === 0) throw new Error('The response contains no image.')
        return accepted.images
      },
      watch(ids, watcher) {
        const subscription = images.watch.subscribe(
          { ids: [...ids] },
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
      async exists(id) {
        try {
          await images.get.query({ id })
          return true
        } catch (error) {
          if (describeFailure(error).reason === 'not_found') return false
          throw error
        }
      },
      i18n,
      announce,
      notify: (message) =>
        toast(message, {
          label: t({ message: 'Open', comment: 'Button that opens the form' }),
          href: pagePaths.create,
        }),
      notifyWhenHidden: (message, prompt) => notifyWhenHidden(message, shorten(prompt)),
      alert: (message) => window.alert(message),
      report,
      imagesChanged() {
        void api.images.list.invalidate()
        void api.images.quota.invalidate()
      },
      now: () => Date.now(),
    })
  })
}

function formError(message: string): FormFailure {
  return { message, needsSignIn: false }
}

/** Reports whether the daily quota is exhausted and has not been reset yet. */
function isExhausted({ used, limit, resetsAt }: Quota): boolean {
  return used >= limit && Date.parse(resetsAt) > Date.now()
}

/** Compares prompts after Unicode normalization, which the server applies too. */
function isSamePrompt(one: string, other: string): boolean {
  return one.normalize().trim() === other.normalize().trim()
}
