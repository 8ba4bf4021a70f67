import { Trans, useLingui } from '@lingui/react/macro'
import { useEffect, useEffectEvent, useRef, type KeyboardEvent } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { escapeChoices } from '../../../shared/expand-prompt.ts'
import { pagePaths } from '../../../shared/routes.ts'
import { anotherSamplePrompt } from '../../../shared/sample-prompts.ts'
import type { Viewer } from '../../../shared/viewer.ts'
import { trpc } from '../../api/trpc.ts'
import { hasModifier } from '../../browser/apis.ts'
import { takeContinuation } from '../../browser/continuation.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { TextArea, TextField } from '../../ui/form.tsx'
import { formatDollars } from '../../ui/formats.tsx'
import { useFileDrop } from '../../ui/image-file.tsx'
import { FailureNotice } from '../auth/call-failure.tsx'
import styles from './create-form.module.css'
import { useDailyCount } from './creation-provider.tsx'
import { elementIds, focusAwaitedPrompt } from './element-ids.ts'
import { Feed } from './feed.tsx'
import { RemixOf, SharedImage } from './form-sources.tsx'
import { ImageColumn } from './image-column.tsx'
import { Options } from './options.tsx'
import { StyleOptions } from './style-options.tsx'
import { CreationContext, useCreation, useCreationOf, type Creation } from './use-creation.ts'
import { imageCount, useVariations } from './variations.tsx'

/** Form for generating images, next to the stage and the user's latest requests. */
export function CreateScreen({ viewer }: { viewer: Viewer }) {
  const creation = useCreationOf(viewer)
  const { show } = creation
  useEffect(() => show(), [show])
  useContinuation(creation)
  return (
    <CreationContext value={creation}>
      <CreateForm />
      <div className={`stack ${styles['results']}`}>
        <ImageColumn />
        <Feed />
      </div>
    </CreationContext>
  )
}

/** Form for the name, the prompt and the options of images. */
function CreateForm() {
  const { i18n, t } = useLingui()
  const creation = useCreation()
  const { draft, change, failure } = creation
  const isGenerating = creation.running.length > 0
  const variations = useVariations(draft.prompt)
  const onHistoryKey = usePromptHistory(creation)
  const { isDropping, dropHandlers } = useFileDrop(creation.importFile)
  useEffect(() => void setTimeout(focusAwaitedPrompt), [])
  return (
    <form
      noValidate
      className={`stack ${styles['form']}`}
      data-dropping={isDropping || undefined}
      {...dropHandlers}
      onSubmit={(event) => {
        event.preventDefault()
        void creation.generate()
      }}
    >
      <SharedImage />
      {draft.options.remix && <RemixOf post={draft.options.remix} />}
      <TextArea
        id={elementIds.prompt}
        label={t`Prompt`}
        action={
          <button
            type="button"
            className={`textButton small hoverable ${styles['surprise']}`}
            onClick={() => {
              const prompt = anotherSamplePrompt(draft.prompt, i18n.locale)
              change({ prompt })
              announce(prompt)
            }}
          >
            <Trans>Surprise me ⇒ Go</Trans>
          </button>
        }
        required
        rows={4}
        placeholder={t`A peacock dancing in the first rain, drawn in colored powder`}
        hint={variations}
        value={draft.prompt}
        onChange={(event) => change({ prompt: event.target.value })}
        onKeyDown={onHistoryKey}
      />
      <div className={`stack ${styles['details']}`}>
        <StyleOptions />
        <TextField
          label={t`Your Name`}
          hint={t`Shown with the image in the gallery.`}
          required
          autoComplete="given-name"
          autoCapitalize="words"
          enterKeyHint="done"
          placeholder={t`e.g. Asha Rao`}
          value={creation.name}
          onChange={(event) => change({ name: event.target.value })}
        />
        <div className="stack tight">
          <Options />
          {creation.note && <p className={`quiet small ${styles['note']}`}>{creation.note}</p>}
        </div>
      </div>
      <div className={`row centered ${styles['generate']}`}>
        <Button
          id={elementIds.generate}
          variant="primary"
          type="submit"
          isBusy={isGenerating}
          aria-describedby={elementIds.dailyCount}
          data-exhausted={creation.left === 0 || undefined}
        >
          {isGenerating ? t`Generating…` : t`Generate`}
        </Button>
        {isGenerating && <Button onClick={() => void creation.queueAnother()}>{t`Queue another`}</Button>}
        <DailyCount />
      </div>
      <FailureNotice failure={failure} onSignIn={() => creation.fail(null)} />
    </form>
  )
}

/** Number of remaining images from which on it is shown. */
const fewLeft = 3

/** Number of images generated today, the time at which the count resets, and what the images cost. */
function DailyCount() {
  const { i18n, t } = useLingui()
  const quota = useDailyCount()
  const used = quota ? i18n.number(quota.used) : '…'
  const left = useCreation().left ?? 0
  const leftToday = i18n.number(left)
  const limit = i18n.number(quota?.limit ?? 0)
  const time = quota && i18n.date(quota.resetsAt, { hour: 'numeric', minute: '2-digit' })
  return (
    <div id={elementIds.dailyCount} className={`tabular ${styles['count']}`}>
      <p>{t`Generated today: ${used}`}</p>
      {quota && (
        <p className="quiet small">
          {left <= fewLeft
            ? t`${leftToday} left today; starts again at ${time}`
            : t`${limit} a day; starts again at ${time}`}
        </p>
      )}
      <Cost />
    </div>
  )
}

/** The price of the images to generate, and what is left of the budget; nothing without either. */
function Cost() {
  const { i18n, t } = useLingui()
  const { draft, details } = useCreation()
  const budget = useDailyCount()?.budget
  const price = details?.price
  if (!price && !budget) return null
  const format = (amount: number, digits?: number) => formatDollars(amount, i18n, digits)
  // Many images cost less than a cent, which decides if little is left.
  const cost = format((price ?? 0) * imageCount(draft.prompt, draft.options.count), 4)
  if (!budget) return <p className="quiet small">{t`About ${cost}`}</p>
  const rest = Math.max(0, budget.limit - budget.spent - budget.reserved)
  const left = format(rest, rest < 1 ? 4 : 2)
  const limit = format(budget.limit)
  return (
    <p className="quiet small">
      {price ? t`About ${cost}, ${left} of ${limit} left` : t`${left} of ${limit} left this month`}
    </p>
  )
}

/**
 * Fills the form with the post to remix (`?remix=ID`) or the words (`?prompt=`) of the address, then generates an image of the
 * words that the user entered before they signed in.
 */
function useContinuation({ remix, change, generateFrom }: Creation): void {
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const postId = query.get('remix')
  const words = query.get('prompt')
  /** The last address of which the form is filled, after those before it. */
  const filled = useRef(Promise.resolve())
  const fill = useEffectEvent(async (remixedId: string | null, entered: string | null) => {
    if (entered !== null) change({ prompt: entered })
    if (remixedId !== null) await remix(remixedId)
    const prompt = takeContinuation()
    if (prompt !== null) void generateFrom(prompt)
  })
  useEffect(() => {
    if (postId !== null || words !== null) navigate(pagePaths.create, { replace: true })
    filled.current = filled.current.then(() => fill(postId, words))
  }, [postId, words, navigate])
}

/** Number of the latest images whose prompts are walked through. */
const walkedImages = 100

/** More text than this is a prompt, not a search for one. */
const searchMaxLength = 100

/**
 * Walks through the user's last prompts: the arrow up in an empty field, or at the beginning of words that they contain, shows the
 * last one, and the arrow down leads back.
 *
 * @returns a handler of keys in the field of the prompt
 */
function usePromptHistory({ change }: Pick<Creation, 'change'>) {
  const api = trpc.useUtils()
  const { t } = useLingui()
  /** What was typed, then the prompts, newest first, and which of them is in the field. */
  const walk = useRef({ prompts: [''], at: 0 })

  function show(prompts: string[], at: number) {
    walk.current = { prompts, at }
    const prompt = prompts[at] ?? ''
    change({ prompt })
    announce(prompt)
  }

  async function begin(field: HTMLTextAreaElement) {
    const typed = field.value
    const search = typed.trim()
    const { images } = await api.images.list.fetch({ limit: walkedImages, ...(search !== '' && { search }) })
    const found = images.map(({ prompt }) => escapeChoices(prompt)).filter(Boolean)
    const prompts = [...new Set([typed, ...found])]
    if (prompts.length > 1 && field.value === typed) show(prompts, 1)
  }

  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (step === 0 || event.shiftKey || hasModifier(event) || event.nativeEvent.isComposing) return
    const field = event.currentTarget
    const { prompts, at } = walk.current
    const isWalking = at > 0 && field.value === prompts[at]
    const isAtStart = field.selectionEnd === 0 && field.value.length <= searchMaxLength
    if (!isWalking && (!isAtStart || step < 0)) return
    event.preventDefault()
    if (!isWalking)
      begin(field).catch(() => announce(t`Your prompts could not be loaded. Try again in a moment.`))
    else if (at + step < prompts.length) show(prompts, at + step)
  }
}
