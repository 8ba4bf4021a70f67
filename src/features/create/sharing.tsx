import { msg } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { Link } from 'wouter'
import type { OwnPost } from '../../../shared/images.ts'
import type { Visibility } from '../../../shared/posts.ts'
import { postPath } from '../../../shared/routes.ts'
import { trpc } from '../../api/trpc.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { RadioGroup } from '../../ui/form.tsx'
import { useVisibilityOptions } from '../../ui/post-options.ts'
import styles from './create-form.module.css'
import { elementIds } from './element-ids.ts'
import type { Creation } from './use-creation.ts'

const sharedLabels = {
  public: msg`In the gallery — open`,
  unlisted: msg`Shared by its link — open`,
  private: msg`Your private post — open`,
} as const

/** Link to the post of a shared image, in place of the button that shares it. */
export function SharedLink({ post }: { post: OwnPost }) {
  const { i18n } = useLingui()
  return (
    <Link id={elementIds.share} href={postPath(post.id)} className={buttonClass('plain', true)}>
      {i18n._(sharedLabels[post.visibility])}
    </Link>
  )
}

/** The button that shares the image, and who sees what of the post. */
export function Sharing({ creation }: { creation: Creation }) {
  const { t } = useLingui()
  const visibilityOptions = useVisibilityOptions()
  const [chosen, setChosen] = useState<Visibility | null>(null)
  const [hidePrompt, setHidePrompt] = useState(false)
  const [isSensitive, setIsSensitive] = useState(false)
  const settings = trpc.account.settings.useQuery()
  return (
    <>
      <Button
        id={elementIds.share}
        variant="primary"
        wide
        isBusy={creation.isSharing}
        onClick={() =>
          void creation.share({ hidePrompt, isSensitive, ...(chosen !== null && { visibility: chosen }) })
        }
      >
        {creation.isSharing ? t`Sharing…` : t`Share with the Community`}
      </Button>
      <details className={`small ${styles['sharing']}`}>
        <summary>
          <Trans>Sharing options</Trans>
        </summary>
        <RadioGroup
          legend={t`Who can see it`}
          name="visibility"
          value={chosen ?? settings.data?.defaultVisibility ?? null}
          options={visibilityOptions}
          onChange={setChosen}
        />
        <label className="check">
          <input
            type="checkbox"
            checked={hidePrompt}
            onChange={(event) => setHidePrompt(event.target.checked)}
          />
          <Trans>Hide the prompt from others</Trans>
        </label>
        <label className="check">
          <input
            type="checkbox"
            checked={isSensitive}
            onChange={(event) => setIsSensitive(event.target.checked)}
          />
          <Trans>Sensitive: blur the image until it is clicked</Trans>
        </label>
      </details>
    </>
  )
}
