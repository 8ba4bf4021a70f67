import { useState } from 'react'
import type { Visibility } from '../../../shared/posts.ts'
import { trpc } from '../../api/trpc.ts'
import { Button } from '../../ui/button.tsx'
import { RadioGroup } from '../../ui/form.tsx'
import { visibilityOptions } from '../../ui/visibility-options.ts'
import styles from './create-form.module.css'
import { elementIds } from './element-ids.ts'
import type { Creation } from './use-creation.ts'

/** The button that shares the image, and who sees what of the post. */
export function Sharing({ creation }: { creation: Creation }) {
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
        {creation.isSharing ? 'Sharing…' : 'Share with the Community'}
      </Button>
      <details className={styles['sharing']}>
        <summary>Sharing options</summary>
        <RadioGroup
          legend="Who can see it"
          name="visibility"
          value={chosen ?? settings.data?.defaultVisibility ?? null}
          options={visibilityOptions}
          onChange={setChosen}
        />
        <label>
          <input
            type="checkbox"
            checked={hidePrompt}
            onChange={(event) => setHidePrompt(event.target.checked)}
          />
          Hide the prompt from others
        </label>
        <label>
          <input
            type="checkbox"
            checked={isSensitive}
            onChange={(event) => setIsSensitive(event.target.checked)}
          />
          Sensitive: blur the image until it is clicked
        </label>
      </details>
    </>
  )
}
