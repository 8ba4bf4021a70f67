import { Button } from '../../ui/button.tsx'
import { Confirmation, Notice } from '../../ui/notice.tsx'
import styles from './account.module.css'
import { FailureNotice } from './failure-notice.tsx'
import { Section } from './section.tsx'
import { useDataDownload } from './use-data-download.ts'
import type { DataDownload } from './use-data-download.ts'

/** Lets users take everything that is theirs. */
export function DataSection() {
  const { download, start, cancel, dismiss } = useDataDownload()
  const isGathering = download.state === 'gathering'
  return (
    <Section
      title="Your data"
      intro="One archive with everything this site keeps of you: your prompts and your posts as data, and every image of yours as it was made."
    >
      <FailureNotice failure={download.state === 'failed' ? download : null} onSignIn={dismiss} />
      <div className={styles['row']}>
        <Button isBusy={isGathering} onClick={() => void start()}>
          {isGathering ? 'Gathering…' : 'Download my data'}
        </Button>
        {isGathering && <Button onClick={cancel}>Cancel</Button>}
      </div>
      {isGathering && <Gathering download={download} />}
      <Notice>{download.state === 'saved' && download.missing > 0 && missingSentence(download)}</Notice>
      <Confirmation>{outcomeSentence(download)}</Confirmation>
    </Section>
  )
}

function Gathering({ download: { progress } }: { download: Extract<DataDownload, { state: 'gathering' }> }) {
  const done = progress?.done ?? 0
  const total = progress?.total ?? 0
  return (
    <div className={styles['gathering']}>
      <progress aria-label="Images gathered" {...(total > 0 && { value: done, max: total })} />
      <p>{progress ? `${done} of ${countOf(total)}` : 'Asking for your data…'}</p>
    </div>
  )
}

function outcomeSentence(download: DataDownload): string | null {
  switch (download.state) {
    case 'saved':
      return download.missing > 0 ? null : 'Your data is in your downloads.'
    case 'cancelled':
      return 'Cancelled. Nothing was downloaded.'
    default:
      return null
  }
}

function missingSentence({ images, missing }: { images: number; missing: number }): string {
  return `${missing} of ${countOf(images)} could not be fetched. The rest is in your downloads, and data.json names what is missing. Try again later.`
}

function countOf(images: number): string {
  return images === 1 ? '1 image' : `${images} images`
}
