import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react'
import { useSearchParams } from 'wouter'
import { thumbnailUrl } from '../../../shared/image-files.ts'
import { previewPromptLength } from '../../../shared/limits.ts'
import { previewPath } from '../../../shared/routes.ts'
import { useSite } from '../../api/site.tsx'
import { trpc } from '../../api/trpc.ts'
import { keepContinuation, readContinuation } from '../../browser/continuation.ts'
import { Button } from '../../ui/button.tsx'
import { TextArea } from '../../ui/form.tsx'
import { shorten, UserText } from '../../ui/text.tsx'
import { useSession } from '../auth/session.ts'
import { RemixedPostLink, SharedImagePreview, useSharedImage } from './form-sources.tsx'
import page from './create-form.module.css'
import styles from './visitor-create.module.css'

/** Number of posts of which the examples are chosen. */
const candidates = 12

/**
 * The page for visitors: a prompt to continue with after sign-in, and examples.
 *
 * @param props.signIn the reason for signing in, with its button
 */
export function VisitorCreate({ signIn }: { signIn: ReactNode }) {
  const { t } = useLingui()
  const { openSignInFor } = useSession()
  const isDrawn = useSite().engine === 'rangoli'
  const [query] = useSearchParams()
  const [typed, setPrompt] = useState(() => readContinuation() ?? query.get('prompt'))
  const remixedId = query.get('remix')
  const { data: remixed } = trpc.posts.get.useQuery(
    { id: remixedId ?? '' },
    { enabled: remixedId !== null, retry: false },
  )
  const prompt = typed ?? remixed?.prompt ?? ''
  const field = useRef<HTMLTextAreaElement>(null)
  const examples = useExamples()
  const drawn = useSettled(prompt)
  const drawnWords = shorten(drawn)
  const [shared] = useSharedImage()
  // The engine's previews are of shorter prompts.
  const hasPreview = (words: string) => isDrawn && words.trim() !== '' && words.length <= previewPromptLength

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!prompt.trim()) return field.current?.focus()
    keepContinuation(prompt)
    openSignInFor(hasPreview(prompt) ? { goal: 'keep', imageUrl: previewPath(prompt) } : { goal: 'join' })
  }

  return (
    <>
      <div className={`stack ${page['form']}`}>
        <form className={`stack ${styles['form']}`} onSubmit={submit}>
          {shared && <SharedImagePreview url={shared.url} />}
          {remixed && <RemixedPostLink post={remixed} />}
          <TextArea
            ref={field}
            label={t`What should the image show?`}
            hint={t`Continue keeps your words while you sign in or create an account.`}
            rows={4}
            placeholder={t`A peacock dancing in the first rain, drawn in colored powder`}
            value={prompt}
            onChange={(event) => setPrompt(event.target.value)}
          />
          <Button variant="primary" type="submit">{t`Continue`}</Button>
        </form>
        <div className={page['details']}>{signIn}</div>
      </div>
      <div className={`stack ${page['results']}`}>
        {hasPreview(drawn) && (
          <div className={page['stage']}>
            <img
              className={`card appearing ${styles['drawing']}`}
              src={previewPath(drawn)}
              width={640}
              height={640}
              alt={t`Preview of: ${drawnWords}`}
            />
          </div>
        )}
        {examples.length > 0 && (
          <section aria-labelledby="examples" className={`stack ${page['feed']} ${styles['examples']}`}>
            <h2 id="examples">{t`Start from an example`}</h2>
            <ul>
              {examples.map((example) => (
                <li key={example.url}>
                  <button
                    type="button"
                    className="card hoverable breakable"
                    onClick={() => {
                      setPrompt(example.prompt)
                      field.current?.focus()
                    }}
                  >
                    <img src={example.url} width={320} height={320} alt="" loading="lazy" decoding="async" />
                    <UserText as="span" text={shorten(example.prompt, 100)} />
                  </button>
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
    </>
  )
}

/** Time without a key press after which the words are drawn, in milliseconds. */
const drawDelayMs = 400

/** Returns the words as they are drawn, as on the front page: once no key is pressed. */
function useSettled(prompt: string): string {
  const [settled, setSettled] = useState(prompt)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(prompt), drawDelayMs)
    return () => clearTimeout(timer)
  }, [prompt])
  return settled
}

/** Patterns that the embedded engine draws; with other engines, the newest posts. */
function useExamples(): readonly { prompt: string; url: string }[] {
  const { engine, examples } = useSite()
  const isDrawn = engine === 'rangoli'
  const { data } = trpc.posts.list.useQuery({ limit: candidates }, { enabled: !isDrawn })
  if (isDrawn) return examples.map((prompt) => ({ prompt, url: previewPath(prompt) }))
  return (data?.posts ?? [])
    .filter(({ source, isSensitive, prompt }) => source === 'generated' && !isSensitive && prompt !== '')
    .slice(0, 3)
    .map(({ prompt, photo }) => ({ prompt, url: thumbnailUrl(photo, 320) }))
}
