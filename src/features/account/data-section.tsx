import type { I18n } from '@lingui/core'
import { msg, plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { describeFailure } from '../../api/failure.ts'
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
import { describeCallFailure, FailureNotice, unreachable, type CallFailure } from '../auth/call-failure.tsx'
import { Section } from './section.tsx'

/** Downloads everything the server stores about the user as one archive. */
export function DataSection() {
  const { t, i18n } = useLingui()
  const { download, progress, cancel } = useDataDownload()
  const { data, isPending } = download
  const missing = data ? data.missing : 0
  const row = useRef<HTMLDivElement>(null)
  return (
    <Section
      title={t`Your data`}
      intro={t`One archive with everything this site stores about you: your prompts and posts as data, and every image of yours in full size.`}
    >
      <FailureNotice
        failure={download.error && describeDownloadFailure(download.error, i18n)}
        onSignIn={download.reset}
      />
      <div ref={row} className={ui['row']}>
        <Button isBusy={isPending} onClick={() => download.mutate()}>
          {isPending ? t`Gathering…` : t`Download my data`}
        </Button>
        {isPending && (
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
      {isPending && <Progress progress={progress} />}
      <Notice>{data && missing > 0 && missingSentence(data, i18n)}</Notice>
      <Confirmation>
        {data === null && t`Canceled. Nothing was downloaded.`}
        {data && missing === 0 && t`Your data is in your downloads.`}
      </Confirmation>
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

function missingSentence(download: { images: number; missing: number }, i18n: I18n): string {
  const { images } = download
  const missing = i18n.number(download.missing)
  return i18n._(
    msg`${missing} of ${plural(images, { one: '# image', other: '# images' })} could not be fetched. The rest is in your downloads, and data.json lists what is missing. Try again later.`,
  )
}

/** A download of the data, which results in the numbers of images, or in null if it is canceled. */
function useDataDownload() {
  const { client } = trpc.useUtils()
  const { name: siteName } = useSite()
  /** Null until the number of images is known. */
  const [progress, setProgress] = useState<ArchiveProgress | null>(null)
  const running = useRef<AbortController | null>(null)
  const cancel = () => running.current?.abort()
  useEffect(() => () => running.current?.abort(), [])

  async function gather(signal: AbortSignal) {
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
        onProgress(next) {
          images = next.total
          setProgress(next)
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
    return { images, missing }
  }

  const download = useMutation({
    async mutationFn() {
      const { signal } = (running.current = new AbortController())
      setProgress(null)
      try {
        return await gather(signal)
      } catch (error) {
        if (signal.aborted) return null
        if (describeFailure(error).reason !== 'not_signed_in')
          console.error('could not gather the data', error)
        throw error
      }
    },
  })
  return { download, progress, cancel }
}

function describeDownloadFailure(error: unknown, i18n: I18n): CallFailure {
  const { kind, reason } = describeFailure(error)
  if (reason === 'not_signed_in') {
    const message = i18n._(msg`You are signed out. Sign in again to download your data.`)
    return { message, needsSignIn: true }
  }
  if (kind === 'unreachable') return unreachable(i18n)
  return describeCallFailure(
    error,
    i18n,
    i18n._(msg`Your data could not be downloaded. Try again in a moment.`),
  )
}
