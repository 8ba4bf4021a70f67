import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, use, useRef, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { useLocation } from 'wouter'
import type { Collection } from '../../../shared/collections.ts'
import { detailsOf, type Engine } from '../../../shared/engines.ts'
import { escapeChoices, withoutEscapes } from '../../../shared/expand-prompt.ts'
import type { Image, Quota, Recipe, SucceededImage } from '../../../shared/images.ts'
import { seedMax, uploadMaxBytes } from '../../../shared/limits.ts'
import { collectionPath, pagePaths, postPath } from '../../../shared/routes.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { describeFailure, errorMessage, failureMessage } from '../../api/failure.ts'
import { nullIfMissing } from '../../api/missing.ts'
import { usePageData } from '../../api/site.tsx'
import { trpc } from '../../api/trpc.ts'
import { countKey, readStored } from '../../browser/apis.ts'
import { announce, toast } from '../../ui/announcer.tsx'
import { CreationStores, useDailyCount } from './creation-provider.tsx'
import { CreationStore, type SharingOptions } from './creation-store.ts'
import { isSamePrompt } from './draft.ts'
import { promptsOf } from './variations.tsx'
import { elementIds, focusFirst } from './element-ids.ts'
import { acceptedOptions, engineFor, optionInputs, toReference, type FormOptions } from './form-options.ts'
import { applyImported, applyRecipe, type AppliedSettings } from './import-settings/apply-settings.ts'
import { isShareable } from './use-own-images.ts'

/** What `useCreationOf` returns to the screen around a component. */
export const CreationContext = createContext<Creation | null>(null)

/** Returns the draft of the screen's user with its state, and the actions that generate and share its image. */
export function useCreation(): Creation {
  const creation = use(CreationContext)
  if (!creation) throw new Error('useCreation must be used within a CreationContext')
  return creation
}

/** Returns a user's draft with its state and actions, for the screen that shows it. */
export function useCreationOf(viewer: Viewer) {
  const { i18n, t } = useLingui()
  const api = trpc.useUtils()
  const queryClient = useQueryClient()
  const { stores, report } = use(CreationStores)
  const [store] = useState(() => {
    const page = { i18n, api, queryClient, announce, toast, report }
    const cached = stores.get(viewer.id) ?? new CreationStore(viewer.id, page)
    stores.set(viewer.id, cached)
    return cached
  })
  const [, navigate] = useLocation()
  const repeating = useRef(new Set<Recipe>())
  const { theme } = usePageData()
  const state = useSyncExternalStore(store.subscribe, store.getState, store.getState)
  const quota = useDailyCount()
  const left = quota && Math.max(0, Math.min(quota.limit - quota.used, quota.siteRemaining ?? Infinity))
  const { draft } = state
  const { data: known } = trpc.engines.list.useQuery(undefined, {
    refetchInterval: ({ state: { data } }) =>
      data && (data.engines.length > 1 || data.engines.some(({ isAvailable }) => !isAvailable))
        ? engineRefreshMs
        : false,
  })
  const engines: readonly Engine[] = known?.engines ?? []
  const engine = engineFor(draft.options, engines)
  const accepted = acceptedOptions(draft.options, engine)
  const authorName = draft.name ?? viewer.firstName

  async function addToTheme({ id, title }: Collection, postId: string) {
    try {
      await api.client.collections.addPosts.mutate({ id, postIds: [postId] })
      toast(t`Added to ${title}.`, { label: t`Show`, href: collectionPath(id) })
    } catch (error) {
      toast(failureMessage(error, i18n) ?? t`The collection could not be changed. Try again in a moment.`)
    }
  }

  /** @param isQueued true to wait for what is being generated, instead of doing nothing meanwhile */
  async function generate(prompt = draft.prompt, options = draft.options, isQueued = true) {
    if (!prompt.trim()) {
      store.alert(t`Please provide a prompt`)
      // The form may be scrolled past it.
      return focusFirst(elementIds.prompt)
    }
    if (quota && isExhausted(quota)) return store.alert(errorMessage('daily_limit', i18n))
    const count = Math.min(options.count, Math.max(left ?? options.count, 1))
    const inputs = optionInputs({ ...options, count }, await loadEngines(), prompt)
    if (isQueued || store.getState().running.length === 0) await store.queue(inputs, withoutEscapes(prompt))
  }

  /** Returns the engines, the default first: right after loading the page, options that were chosen before must not get lost. */
  function loadEngines(): Promise<readonly Engine[]> {
    return api.engines.list.ensureData().then(
      (data) => data.engines,
      () => [],
    )
  }

  /** Opens the form where another page shows the user's images. */
  function openForm() {
    if (location.pathname !== pagePaths.create) navigate(pagePaths.create)
  }

  /** Enlarges an image, after what is being generated. */
  async function upscale({ id: imageId, prompt }: Pick<Image, 'id' | 'prompt'>, factor: number) {
    openForm()
    if (quota && isExhausted(quota)) return store.alert(errorMessage('daily_limit', i18n))
    await store.queue({}, prompt, { imageId, factor })
  }

  /** Applies a recipe to the form, with its reference images and mask that still exist. */
  async function settingsOf(recipe: Recipe): Promise<AppliedSettings> {
    const [list, styles, ...images] = await Promise.all([
      loadEngines(),
      recipe.style ? api.styles.list.fetch().catch(() => null) : null,
      ...sourceIdsOf(recipe).map((id) => nullIfMissing(api.client.images.get.query({ id }))),
    ])
    const references = images.flatMap((image) => (image && isShareable(image) ? toReference(image) : []))
    return applyRecipe(recipe, store.getState().draft.options, list, references, styles?.styles)
  }

  /**
   * Generates an image of a recipe again, with all of its reference images. Does nothing while it does so for an earlier click on it.
   *
   * @param change options other than those of the recipe
   */
  async function repeat(recipe: Recipe, change: Partial<FormOptions>, keepsPrompt: boolean) {
    if (repeating.current.has(recipe)) return
    repeating.current.add(recipe)
    try {
      const applied = await settingsOf(recipe)
      const { references, mask } = applied.options
      if (references.length + Number(mask !== null) < sourceIdsOf(recipe).length) {
        return store.alert(t`A reference image of this image could not be found.`)
      }
      const { remix } = store.getState().draft.options
      const kept = remix && remix.id === recipe.remixOf ? remix : null
      const options = { ...applied.options, remix: kept, ...change }
      store.change({ options, ...(!keepsPrompt && { prompt: applied.prompt }) })
      await generate(applied.prompt, options)
    } catch (error) {
      store.alert(store.failureOf(error, msg`Something went wrong!`))
    } finally {
      repeating.current.delete(recipe)
    }
  }

  function putSettings({ options, prompt }: AppliedSettings) {
    store.change({ options, ...(prompt && { prompt }) })
  }

  return {
    // Its actions are properties, not methods.
    // oxlint-disable-next-line typescript/no-misused-spread
    ...store,
    ...state,
    viewer,
    name: authorName,
    /** Those to choose from, the default first; empty until they are loaded. */
    engines,
    /** The chosen one; null until they are loaded, and without any. */
    engine,
    /** The options that it takes. */
    accepted,
    /** What its chosen model takes; null without an engine. */
    details: engine && detailsOf(engine, accepted.model),
    /** Number of images that the user may still generate today; null until known. */
    left,
    /** The running request on the stage; null if the image of the draft is. */
    progress: state.running.find(({ key }) => key === state.shown) ?? null,
    promptDiffers:
      draft.image !== null &&
      draft.prompt.trim() !== '' &&
      !promptsOf(draft.prompt).some((prompt) => isSamePrompt(draft.image?.prompt ?? '', prompt)),

    openForm,
    upscale,

    generate: () => generate(draft.prompt, draft.options, false),

    /** Sends the form as it is as a further request. */
    queueAnother: () => generate(),

    /** Puts a prompt into the form and generates an image of it. */
    async generateFrom(prompt: string) {
      store.change({ prompt })
      await generate(prompt, store.getState().draft.options)
    },

    /** Puts the prompt and the settings of a post into the form, whose images are remixes of it from then on. */
    async remix(postId: string) {
      try {
        const post = await api.client.posts.get.query({ id: postId })
        const { name, isSensitive } = post
        // Reference images belong to the author of the post.
        const recipe = post.recipe && { ...post.recipe, prompt: post.prompt, referenceImageIds: [] }
        const { options, prompt } = recipe
          ? await settingsOf(recipe)
          : { options: store.getState().draft.options, prompt: escapeChoices(post.prompt) }
        store.change({
          prompt,
          options: { ...options, remix: { ...toReference(post), name, prompt: post.prompt, isSensitive } },
          image: null,
          batch: [],
        })
      } catch (error) {
        const isGone = describeFailure(error).reason === 'not_found'
        const failed = msg`The post could not be loaded. Choose Remix on its page again.`
        const gone = { message: t`The post that you want to remix is no longer there.` }
        store.fail(isGone ? gone : store.failureOf(error, failed))
      }
    },

    /** Generates an image again with another seed. The form takes its settings, but keeps the prompt that was typed. */
    vary({ engineKind }: SucceededImage, recipe: Recipe) {
      const seed = engineKind === 'rangoli' ? ((recipe.seed ?? 0) + 1) % (seedMax + 1) : null
      return repeat(recipe, { seed }, true)
    },

    /** Generates an image again with its settings, which the form takes with its prompt; or enlarges the same one again. */
    async retry({ recipe, prompt }: Image) {
      // Only uploads have none, which do not fail.
      if (!recipe) return
      const { sourceImageId, upscale: factor } = recipe
      if (sourceImageId !== undefined && factor !== undefined)
        return upscale({ id: sourceImageId, prompt }, factor)
      openForm()
      await repeat(recipe, { count: 1 }, false)
    },

    /** Shows an image to be shared, with its batch, and puts its prompt into the form unless the user typed another one. */
    putIntoForm(image: Image, batch: readonly Image[] = []) {
      const isTyped =
        draft.prompt.trim() !== '' && !isSamePrompt(withoutEscapes(draft.prompt), draft.image?.prompt ?? '')
      // An upload that was never shared has no prompt.
      const prompt = (!isTyped && escapeChoices(image.prompt)) || draft.prompt
      const canShare = isShareable(image)
      // Synchronously, as the Share button has to exist before it can be focused.
      flushSync(() => {
        store.fail(null)
        store.change({ prompt })
        if (canShare) store.select(image, batch)
      })
      focusFirst(canShare ? elementIds.share : elementIds.prompt)
      announce(canShare ? t`The image is in the form, ready to be shared.` : t`The prompt is in the form.`)
      openForm()
    },

    /** Puts the settings of an image into the form, and says which of them it has. */
    async putSettingsIntoForm(recipe: Recipe) {
      openForm()
      try {
        const applied = await settingsOf(recipe)
        store.fail(null)
        putSettings(applied)
        focusFirst(elementIds.prompt)
        announce(describeApplied(i18n, applied))
      } catch (error) {
        store.alert(store.failureOf(error, msg`Something went wrong!`))
      }
    },

    /** Puts the settings in the metadata of a file into the form. The file is read in the browser. */
    async importFile(file: File) {
      if (file.size > uploadMaxBytes) {
        return store.showNote(t`This file is larger than 20 MB. Choose a smaller one.`)
      }
      try {
        // Only those who import need the reader.
        const [{ readEmbeddedTexts }, { parseSettings }, bytes] = await Promise.all([
          import('./import-settings/read-texts.ts'),
          import('../../../shared/embedded-settings.ts'),
          file.arrayBuffer(),
        ])
        const texts = await readEmbeddedTexts(bytes)
        if (!texts) return store.showNote(t`This file could not be read. Choose a JPEG, PNG or WebP image.`)
        const imported = parseSettings(texts)
        if (!imported) return store.showNote(t`This image has no settings that could be read.`)
        const list = await loadEngines()
        const applied = applyImported(imported, store.getState().draft.options, list)
        putSettings(applied)
        store.showNote(`${imported.format}: ${describeApplied(i18n, applied)}`)
      } catch {
        store.showNote(t`This file could not be read. Try again.`)
      }
    },

    /** Shares the image of the draft, then shows it at the top of the gallery, or on its page if it is not public. */
    async share(options: SharingOptions) {
      const post = await store.share({ name: authorName, ...options })
      if (!post) return
      const { visibility } = post
      const href = postPath(post.id)
      // Unless the user has gone elsewhere meanwhile.
      if (location.pathname === pagePaths.create) navigate(visibility === 'public' ? pagePaths.gallery : href)
      const sentences = {
        public: t`Your image is in the gallery.`,
        unlisted: t`Only people with the link see this post.`,
        private: t`Only you see this post.`,
      }
      const next =
        theme?.contributors === 'members'
          ? { label: t`Add it to “${theme.title}”`, onClick: () => void addToTheme(theme, post.id) }
          : { label: t`View post`, href }
      toast(sentences[visibility], visibility === 'public' ? next : null)
    },
  }
}

export type Creation = ReturnType<typeof useCreationOf>

function sourceIdsOf({ referenceImageIds, maskImageId }: Recipe): readonly string[] {
  return maskImageId === undefined ? referenceImageIds : [...referenceImageIds, maskImageId]
}

/** Interval at which the availability of several engines, or of one that is down, is refreshed. */
const engineRefreshMs = 30_000

/** Says what was taken and what was left out. */
function describeApplied(i18n: I18n, applied: AppliedSettings): string {
  const list = (names: readonly MessageDescriptor[]) =>
    new Intl.ListFormat(i18n.locale, { type: 'unit' }).format(names.map((name) => i18n._(name)))
  const [taken, left] = [list(applied.taken), list(applied.left)]
  const sentences = [taken && i18n._(msg`Taken: ${taken}.`), left && i18n._(msg`Left out: ${left}.`)]
  return sentences.filter(Boolean).join(' ')
}

/** Reports whether the daily quota is exhausted, by the count of the server or of the browser, and has not been reset yet. */
function isExhausted({ used, limit, resetsAt }: Quota): boolean {
  const isReached = used >= limit || Number(readStored('localStorage', countKey)) >= limit
  return isReached && Date.parse(resetsAt) > Date.now()
}
