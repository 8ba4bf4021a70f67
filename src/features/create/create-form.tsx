import { Trans, useLingui } from '@lingui/react/macro'
import type { KeyboardEvent } from 'react'
import { anotherSamplePrompt } from '../../../shared/sample-prompts.ts'
import { useSession } from '../auth/session.ts'
import { useAnnounce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './create-form.module.css'
import { DailyCount } from './daily-count.tsx'
import { elementIds } from './element-ids.ts'
import { ImageColumn } from './image-column.tsx'
import { useImport } from './import-settings/use-import.ts'
import { Options } from './options.tsx'
import { RemixOf } from './remix-of.tsx'
import { SharedImage } from './shared-image.tsx'
import { useFileDrop } from './use-file-drop.ts'
import type { Creation } from './use-creation.ts'
import type { OwnImages } from './use-own-images.ts'

/** Form for the name, the prompt and the image of a post. */
export function CreateForm({ creation, ownImages }: { creation: Creation; ownImages: OwnImages }) {
  const { i18n, t } = useLingui()
  const { openSignIn } = useSession()
  const announce = useAnnounce()
  const { draft, change, failure } = creation
  const isGenerating = creation.progress !== null
  const settings = useImport(creation)
  const { isDropping, dropHandlers } = useFileDrop(settings.importFile)
  return (
    <form
      noValidate
      className={styles['form']}
      data-dropping={isDropping || undefined}
      {...dropHandlers}
      onSubmit={(event) => {
        event.preventDefault()
        settings.dismiss()
        void creation.generate()
      }}
    >
      <div className={styles['fields']}>
        <SharedImage creation={creation} importFile={settings.importFile} />
        {draft.options.remix && <RemixOf post={draft.options.remix} creation={creation} />}
        <Field
          id={elementIds.prompt}
          label={t`Prompt`}
          action={
            <button
              type="button"
              className={styles['surprise']}
              onClick={() => {
                const prompt = anotherSamplePrompt(draft.prompt, i18n.locale)
                change({ prompt })
                announce(prompt)
              }}
            >
              <Trans>Surprise me ⇒ Go</Trans>
            </button>
          }
        >
          {(control) => (
            <textarea
              {...control}
              required
              rows={5}
              placeholder={t`A peacock dancing in the first rain, drawn in coloured powder`}
              value={draft.prompt}
              onChange={(event) => change({ prompt: event.target.value })}
              onKeyDown={submitOnShortcut}
            />
          )}
        </Field>
        <Field label={t`Your Name`} hint={t`Shown with the image in the gallery.`}>
          {(control) => (
            <input
              {...control}
              required
              autoComplete="given-name"
              autoCapitalize="words"
              enterKeyHint="done"
              placeholder={t`e.g. Asha Rao`}
              value={draft.name}
              onChange={(event) => change({ name: event.target.value })}
            />
          )}
        </Field>
        <div className={styles['more']}>
          <Options creation={creation} ownImages={ownImages} settings={settings} />
          {settings.message && <p className={styles['note']}>{settings.message}</p>}
        </div>
        <div className={styles['generate']}>
          <Button
            id={elementIds.generate}
            variant={draft.image ? 'plain' : 'primary'}
            type="submit"
            isBusy={isGenerating}
            aria-describedby={elementIds.dailyCount}
            data-exhausted={creation.left === 0 || undefined}
          >
            {isGenerating ? t`Generating…` : t`Generate`}
          </Button>
          <DailyCount />
        </div>
        <Notice
          action={
            failure?.needsSignIn && (
              <Button
                onClick={() => {
                  creation.dismissFailure()
                  openSignIn()
                }}
              >
                <Trans>Sign In</Trans>
              </Button>
            )
          }
        >
          {failure?.message}
        </Notice>
      </div>
      <ImageColumn creation={creation} ownImages={ownImages} />
    </form>
  )
}

/** Control or Command with Enter submits the form. */
function submitOnShortcut(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
}
