import type { Viewer } from '../../shared/viewer.ts'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import styles from './create-form.module.css'
import { DailyCount } from './daily-count.tsx'
import { Preview } from './preview.tsx'
import { anotherSamplePrompt } from './sample-prompt.ts'
import { useCreation } from './use-creation.ts'

/** Name, prompt and picture, on their way to the gallery. */
export function CreateForm({ viewer }: { viewer: Viewer }) {
  const { openSignIn } = useSession()
  const { draft, change, ...creation } = useCreation(viewer)
  const { image } = draft
  return (
    <form
      noValidate
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault()
        void creation.generate()
      }}
    >
      <div className={styles['words']}>
        <Field label="Your Name" hint="Shown with the picture in the gallery.">
          {(control) => (
            <input
              {...control}
              required
              autoComplete="given-name"
              placeholder="e.g. Asha Rao"
              value={draft.name}
              onChange={(event) => change({ name: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Prompt"
          action={
            <button
              type="button"
              className={styles['surprise']}
              onClick={() => change({ prompt: anotherSamplePrompt(draft.prompt) })}
            >
              Surprise me ⇒ Go
            </button>
          }
        >
          {(control) => (
            <textarea
              {...control}
              required
              rows={5}
              placeholder="A peacock dancing in the first rain, drawn in coloured powder"
              value={draft.prompt}
              onChange={(event) => change({ prompt: event.target.value })}
            />
          )}
        </Field>
        <div className={styles['generate']}>
          <Button variant={image ? 'plain' : 'primary'} type="submit" isBusy={creation.isGenerating}>
            {creation.isGenerating ? 'Generating…' : 'Generate'}
          </Button>
          <DailyCount />
        </div>
        <Notice
          action={
            creation.failure?.needsSignIn && (
              <Button
                onClick={() => {
                  creation.dismissFailure()
                  openSignIn()
                }}
              >
                Sign In
              </Button>
            )
          }
        >
          {creation.failure?.message}
        </Notice>
      </div>
      <div className={styles['preview']}>
        <Preview image={image} isBusy={creation.isGenerating} ahead={creation.ahead} />
        {image && (
          <>
            {creation.promptDiffers && (
              <p className={styles['note']}>
                The prompt has changed since this picture was made. What you share is the prompt as it is now.
              </p>
            )}
            <Button variant="primary" wide isBusy={creation.isSharing} onClick={() => void creation.share()}>
              {creation.isSharing ? 'Sharing…' : 'Share with the Community'}
            </Button>
          </>
        )}
      </div>
    </form>
  )
}
