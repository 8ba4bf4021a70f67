import { useEffect, useRef, useState } from 'react'
import { describeFailure } from '../../api/failure.ts'
import { useSite } from '../../api/site.tsx'
import { trpc } from '../../api/trpc.ts'
import { saveFile } from '../../browser/apis.ts'
import { archiveName } from '../../browser/archive-name.ts'
import { fetchImage } from '../../images/load-image.ts'
import { Button } from '../../ui/button.tsx'
import { Confirmation, Notice } from '../../ui/notice.tsx'
import styles from './account.module.css'
import { archiveFiles, type ArchiveProgress } from './archive.ts'
import { FailureNotice, Section } from './section.tsx'

type DataDownload =
  | { readonly state: 'idle' | 'canceled' }
  /** `progress` is null until the number of images is known. */
  | { readonly state: 'running'; readonly progress: ArchiveProgress | null }
  | { readonly state: 'saved'; readonly images: number; readonly missing: number }
  | { readonly state: 'failed'; readonly message: string; readonly needsSignIn: boolean }

/** Downloads everything the server stores about the user as one archive. */
export function DataSection() {
  const { download, start, cancel, dismiss } = useDataDownload()
  const isRunning = download.state === 'running'
  return (
    <Section
      title="Your data"
      intro="One archive with everything this site stores about you: your prompts and posts as data, and every image of yours in full size."
    >
      <FailureNotice failure={download.state === 'failed' ? download : null} onSignIn={dismiss} />
      <div className={styles['row']}>
        <Button isBusy={isRunning} onClick={() => void start()}>
          {isRunning ? 'Gathering…' : 'Download my data'}
        </Button>
        {isRunning && <Button onClick={cancel}>Cancel</Button>}
      </div>
      {isRunning && <Progress progress={download.progress} />}
      <Notice>{download.state === 'saved' && download.missing > 0 && missingSentence(download)}</Notice>
      <Confirmation>{outcomeSentence(download)}</Confirmation>
    </Section>
  )
}

function Progress({ progress }: { progress: ArchiveProgress | null }) {
  const done = progress?.done ?? 0
  const total = progress?.total ?? 0
  return (
    <div className={styles['gathering']}>
      <progress aria-label="Images gathered" {...(total > 0 && { value: done, max: total })} />
      <p>{progress ? `${done} of ${countOf(total)}` : 'Loading your data…'}</p>
    </div>
  )
}

function outcomeSentence(download: DataDownload): string | null {
  switch (download.state) {
    case 'saved':
      return download.missing > 0 ? null : 'Your data is in your downloads.'
    case 'canceled':
      return 'Canceled. Nothing was downloaded.'
    default:
      return null
  }
}

function missingSentence({ images, missing }: { images: number; missing: number }): string {
  return `${missing} of ${countOf(images)} could not be fetched. The rest is in your downloads, and data.json lists what is missing. Try again later.`
}

function countOf(images: number): string {
  return images === 1 ? '1 image' : `${images} images`
}

function useDataDownload() {
  const { client } = trpc.useUtils()
  const { name: siteName } = useSite()
  const [download, setDownload] = useState<DataDownload>({ state: 'idle' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])

  async function start() {
    if (running.current) return
    const abort = new AbortController()
    running.current = abort
    setDownload({ state: 'running', progress: null })
    try {
      setDownload(await run(abort.signal))
    } catch (error) {
      setDownload(abort.signal.aborted ? { state: 'canceled' } : describeDownloadFailure(error))
    } finally {
      running.current = null
    }
  }

  async function run(signal: AbortSignal): Promise<DataDownload> {
    const [{ downloadZip }, data] = await Promise.all([
      import('client-zip'),
      client.account.export.query(undefined, { signal }),
    ])
    let missing = 0
    let images = 0
    const files = archiveFiles(
      {
        fetchImage: (path) => fetchImage(path, signal),
        now: () => new Date(),
        onProgress(progress) {
          images = progress.total
          setDownload({ state: 'running', progress })
        },
      },
      data,
      (cause) => {
        signal.throwIfAborted()
        console.error('could not fetch an image', cause)
        missing += 1
      },
    )
    const archive = await downloadZip(files).blob()
    signal.throwIfAborted()
    saveFile(archive, archiveName(siteName, 'data', new Date()))
    return { state: 'saved', images, missing }
  }

  return {
    download,
    start,
    cancel: () => running.current?.abort(),
    /** Clears the outcome of the last attempt. */
    dismiss: () => setDownload({ state: 'idle' }),
  }
}

function describeDownloadFailure(error: unknown): DataDownload {
  const { kind, message, reason } = describeFailure(error)
  if (reason === 'not_signed_in') {
    return {
      state: 'failed',
      message: 'You are signed out. Sign in again to download your data.',
      needsSignIn: true,
    }
  }
  console.error('could not gather the data', error)
  return {
    state: 'failed',
    message:
      message ??
      (kind === 'unreachable'
        ? 'The server could not be reached. Check your connection and try again.'
        : 'Your data could not be downloaded. Try again in a moment.'),
    needsSignIn: false,
  }
}
