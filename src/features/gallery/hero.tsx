import { useLingui } from '@lingui/react/macro'
import { createContext, useContext, useEffect, useMemo, useRef, useState } from 'react'
import type { FormEvent, KeyboardEvent, ReactNode } from 'react'
import { useLocation } from 'wouter'
import { previewPromptLength } from '../../../shared/limits.ts'
import { createPath, pagePaths, previewPath } from '../../../shared/routes.ts'
import { useSite } from '../../api/site.tsx'
import { keepContinuation } from '../../browser/continuation.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { lazyPart } from '../../ui/loading.tsx'
import { VisuallyHidden } from '../../ui/text.tsx'
import { useSession } from '../auth/session.ts'
import styles from './hero.module.css'

const loadPreview = () => import('./live-preview.tsx')

const LivePreview = lazyPart(
  async () => (await loadPreview()).LivePreview,
  <div className={`stack wider card ${styles['live']}`}>
    <div className={`layers ${styles['preview']}`} />
  </div>,
)

const ideaFieldId = 'idea'

const IdeaContext = createContext<readonly [text: string, setText: (text: string) => void]>(['', () => {}])

/** Provides the text of the prompt field, of which only the field and the examples are rendered again. */
export function IdeaProvider({ children }: { children: ReactNode }) {
  const [text, setText] = useState('')
  const idea = useMemo(() => [text, setText] as const, [text])
  return <IdeaContext value={idea}>{children}</IdeaContext>
}

/** Drawings of prompts, which lead to the prompt field; without JavaScript, to the form. */
export function Examples() {
  const { examples } = useSite()
  const [, setText] = useContext(IdeaContext)
  return (
    <div className={styles['examples']}>
      {examples.map((prompt) => (
        <a
          key={prompt}
          href={createPath(prompt)}
          title={prompt}
          // Surprise me does the same by keyboard.
          tabIndex={-1}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            setText(prompt)
            document.getElementById(ideaFieldId)?.focus()
          }}
        >
          <img
            src={previewPath(prompt)}
            alt={prompt}
            width={128}
            height={128}
            loading="lazy"
            decoding="async"
            fetchPriority="low"
          />
        </a>
      ))}
    </div>
  )
}

/**
 * A prompt field for visitors and users. With the embedded engine it draws while they type; the button leads to the form,
 * which continues with the words. Without JavaScript, a plain form.
 */
export function Hero() {
  const { t } = useLingui()
  const { engine } = useSite()
  const { openSignInFor } = useSession()
  const [, navigate] = useLocation()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useContext(IdeaContext)
  const prompt = text.trim()
  const isDrawn = engine === 'rangoli' && prompt !== ''

  // Text typed before hydration is in the field, but fired no event.
  useEffect(() => setText(field.current?.value ?? ''), [setText])

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!prompt) return field.current?.focus()
    keepContinuation(prompt)
    navigate(pagePaths.create)
    openSignInFor(isDrawn ? { goal: 'keep', imageUrl: previewPath(prompt) } : { goal: 'join' })
  }

  async function surprise() {
    const { surprise: anotherPrompt } = await loadPreview()
    setText(anotherPrompt(text))
    field.current?.focus()
  }

  return (
    <form action={pagePaths.create} className={styles['hero']} onSubmit={submit}>
      {/* The placeholder and the button say as much. */}
      <label htmlFor={ideaFieldId}>
        <VisuallyHidden>{t`What shall we draw?`}</VisuallyHidden>
      </label>
      <div className={styles['box']}>
        <textarea
          ref={field}
          id={ideaFieldId}
          name="prompt"
          rows={1}
          className={styles['input']}
          dir="auto"
          placeholder={t`A peacock in the rain`}
          maxLength={previewPromptLength}
          enterKeyHint="go"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={submitOnEnter}
        />
        <button
          type="button"
          className={`iconButton hoverable ${styles['surprise']}`}
          title={t`Surprise me`}
          aria-label={t`Surprise me`}
          onClick={() => void surprise()}
        >
          {/* Dice. */}
          <Icon path="M4 4h12v12H4zM7.5 7.5h0M12.5 7.5h0M10 10h0M7.5 12.5h0M12.5 12.5h0" />
        </button>
        <Button variant="primary" type="submit">
          {isDrawn
            ? t({ message: 'Keep it', context: 'image' })
            : t({ message: 'Make it', context: 'image' })}
        </Button>
      </div>
      {isDrawn && <LivePreview prompt={prompt} />}
    </form>
  )
}

/** Enter confirms an input method's suggestion first. */
function submitOnEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
