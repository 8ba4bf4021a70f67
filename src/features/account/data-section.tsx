import type { I18n } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useEffect, useRef, useState } from 'react'
import { describeFailure, failureMessage } from '../../api/failure.ts'
import { useSite } from '../../api/site.tsx'
import { trpc } from '../../api/trpc.ts'
import { saveFile } from '../../browser/apis.ts'
import { archiveName } from '../../browser/archive-name.ts'
import { fetchImage } from '../../images/load-image.ts'
import { Button } from '../../ui/button.tsx'
import { Confirmation, Notice } from '../../ui/notice.tsx'
import ui from '../../ui/primitives.module.css'
import styles from './account.module.css'
import { archiveFiles, type ArchiveProgress } from './archive.ts'
import { FailureNotice } from '../auth/call-failure.tsx'
import { Section } from './section.tsx'

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
  const { t, i18n } = useLingui()
  const row = useRef<HTMLDivElement>(null)
  return (
    <Section
      title={t`Your data`}
      intro={t`One archive with everything this site stores about you: your prompts and posts as data, and every image of yours in full size.`}
    >
      <FailureNotice failure={download.state === 'failed' ? download : null} onSignIn={dismiss} />
      <div ref={row} className={ui['row']}>
        <Button isBusy={isRunning} onClick={() => void start()}>
          {isRunning ? t`Gathering…` : t`Download my data`}
        </Button>
        {isRunning && (
          <Button
            onClick={() => {
              cancel()
              row.current?.querySelector('button')?.focus()
            }}
          >
            {t`Cancel`}
          </Button>
        )}
      </div>
      {isRunning && <Progress progress={download.progress} />}
      <Notice>{download.state === 'saved' && download.missing > 0 && missingSentence(download, i18n)}</Notice>
      <Confirmation>{outcomeSentence(download, i18n)}</Confirmation>
    </Section>
  )
}

function Progress({ progress }: { progress: ArchiveProgress | null }) {
  const { t, i18n } = useLingui()
  const done = i18n.number(progress?.done ?? 0)
  const total = progress?.total ?? 0
  return (
    <div className={`${ui['stack']} ${styles['gathering']}`}>
      <progress
        aria-label={t`Images gathered`}
        {...(progress && total > 0 && { value: progress.done, max: total })}
      />
      <p>
        {progress
          ? t`${done} of ${plural(total, { one: '# image', other: '# images' })}`
          : t`Loading your data…`}
      </p>
    </div>
  )
}

function outcomeSentence(download: DataDownload, i18n: I18n): string | null {
  switch (download.state) {
    case 'saved':
      return download.missing > 0 ? null : i18n._(msg`Your data is in your downloads.`)
    case 'canceled':
      return i18n._(msg`Canceled. Nothing was downloaded.`)
    default:
      return null
  }
}

function missingSentence(download: { images: number; missing: number }, i18n: I18n): string {
  const { images } = download
  const missing = i18n.number(download.missing)
  return i18n._(
    msg`${missing} of ${plural(images, { one: '# image', other: '# images' })} could not be fetched. The rest is in your downloads, and data.json lists what is missing. Try again later.`,
  )
}

function useDataDownload() {
  const { i18n } = useLingui()
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
      setDownload(abort.signal.aborted ? { state: 'canceled' } : describeDownloadFailure(error, i18n))
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

function describeDownloadFailure(error: unknown, i18n: I18n): DataDownload {
  const { kind, reason } = describeFailure(error)
  if (reason === 'not_signed_in') {
    return {
      state: 'failed',
      message: i18n._(msg`You are signed out. Sign in again to download your data.`),
      needsSignIn: true,
    }
  }
  console.error('could not gather the data', error)
  return {
    state: 'failed',
    message:
      failureMessage(error, i18n) ??
      (kind === 'unreachable'
        ? i18n._(msg`The server could not be reached. Check your connection and try again.`)
        : i18n._(msg`Your data could not be downloaded. Try again in a moment.`)),
    needsSignIn: false,
  }
}
