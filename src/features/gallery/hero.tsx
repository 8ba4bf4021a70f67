import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import type { FormEvent, KeyboardEvent } from 'react'
import { useLocation } from 'wouter'
import { previewPromptLength } from '../../../shared/limits.ts'
import { pagePaths, previewPath } from '../../../shared/routes.ts'
import { useSite } from '../../api/site.tsx'
import { keepContinuation } from '../../browser/continuation.ts'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/loading.tsx'
import { useSession } from '../auth/session.ts'
import styles from './hero.module.css'

const loadPreview = () => import('./live-preview.tsx')

const LivePreview = lazyPart(
  async () => (await loadPreview()).LivePreview,
  <div className={`card layers ${styles['preview']}`} />,
)

/**
 * A prompt field for visitors and users. With the embedded engine it draws while they type; the button leads to the form,
 * which continues with the words. Without JavaScript, a plain form.
 */
export function Hero() {
  const { t } = useLingui()
  const { engine } = useSite()
  const session = useSession()
  const [, navigate] = useLocation()
  const field = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState('')
  const prompt = text.trim()
  const isDrawn = engine === 'rangoli' && prompt !== ''

  // Text typed before hydration is in the field, but fired no event.
  useEffect(() => setText(field.current?.value ?? ''), [])

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!prompt) return field.current?.focus()
    keepContinuation(prompt)
    navigate(pagePaths.create)
    if (session.status !== 'signed-out') return
    if (isDrawn) session.openSignInFor({ goal: 'keep', imageUrl: previewPath(prompt) })
    else session.openSignUp()
  }

  async function surprise() {
    const { surprise: anotherPrompt } = await loadPreview()
    setText(anotherPrompt)
    field.current?.focus()
  }

  return (
    <form action={pagePaths.create} className={styles['hero']} onSubmit={submit}>
      <label htmlFor="idea" className={`strong ${styles['label']}`}>
        {t`What shall we draw?`}
      </label>
      <div className={styles['box']}>
        <textarea
          ref={field}
          id="idea"
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
        <Button variant="primary" type="submit">
          {isDrawn
            ? t({ message: 'Keep it', context: 'image' })
            : t({ message: 'Make it', context: 'image' })}
        </Button>
      </div>
      <button
        type="button"
        className={`textButton hoverable ${styles['surprise']}`}
        onClick={() => void surprise()}
      >
        {t`Surprise me`}
      </button>
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
