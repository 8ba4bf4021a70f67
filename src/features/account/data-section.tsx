import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { describeFailure } from '../../api/failure.ts'
import { useSite } from '../../api/site.tsx'
import { trpc, type RouterOutputs } from '../../api/trpc.ts'
import { saveFile } from '../../browser/apis.ts'
import { useCancelable } from '../../browser/use-cancelable.ts'
import { archiveName, archiveOf, fetchIfPossible } from '../../images/archive.ts'
import { Button } from '../../ui/button.tsx'
import { Confirmation, Notice } from '../../ui/notice.tsx'
import styles from './account.module.css'
import { Section } from './section.tsx'
import { MutationState } from '../auth/call-failure.tsx'

/** Downloads everything the server stores about the user as one archive. */
export function DataSection() {
  const { t, i18n } = useLingui()
  const { download, progress, cancel } = useDataDownload()
  const { data, isPending } = download
  const missing = i18n.number(data?.missing ?? 0)
  const images = data?.total ?? 0
  const done = i18n.number(progress?.done ?? 0)
  const total = progress?.total ?? 0
  const row = useRef<HTMLDivElement>(null)
  return (
    <Section
      title={t`Your data`}
      intro={t`One archive with everything this site stores about you: your prompts and posts as data, and every image of yours in full size.`}
    >
      <MutationState
        mutation={download}
        failed={t`Your data could not be downloaded. Try again in a moment.`}
      />
      <div ref={row} className="row wider">
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
      {isPending && (
        <div className={`stack tight full tabular ${styles['gathering']}`}>
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
      )}
      <Notice>
        {data &&
          data.missing > 0 &&
          t`${missing} of ${plural(images, { one: '# image', other: '# images' })} could not be fetched. The rest is in your downloads, and data.json lists what is missing. Try again later.`}
      </Notice>
      <Confirmation>
        {data === null
          ? t`Canceled. Nothing was downloaded.`
          : data?.missing === 0 && t`Your data is in your downloads.`}
      </Confirmation>
    </Section>
  )
}

/** A download of the data, which results in its progress at the end, or in null if it is canceled. */
function useDataDownload() {
  const { client } = trpc.useUtils()
  const { name: siteName } = useSite()
  /** Null until the number of images is known. */
  const [progress, setProgress] = useState<ArchiveProgress | null>(null)
  const { begin, cancel } = useCancelable()

  const download = useMutation({
    async mutationFn() {
      const signal = begin()
      setProgress(null)
      let last: ArchiveProgress = { done: 0, total: 0, missing: 0 }
      const fetchPhoto = (path: string) => fetchIfPossible(path, signal)
      try {
        const data = await client.account.export.query(undefined, { signal })
        const files = archiveFiles(data, fetchPhoto, (next) => setProgress((last = next)))
        saveFile(await archiveOf(files, signal), archiveName(siteName, 'data', new Date()))
        return last
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

/** Everything that the server stores about the user. */
export type AccountData = RouterOutputs['account']['export']

/** Numbers of images: processed, all, and those that could not be fetched. */
export interface ArchiveProgress {
  readonly done: number
  readonly total: number
  readonly missing: number
}

/**
 * Generates the files of a user's archive on demand: each image once, then data.json, which maps files to images and lists
 * those that could not be fetched.
 *
 * @param fetchPhoto resolves to null for an image that can't be fetched
 */
export async function* archiveFiles(
  data: AccountData,
  fetchPhoto: (path: string) => Promise<Blob | null>,
  onProgress: (progress: ArchiveProgress) => void,
): AsyncGenerator<{ name: string; lastModified: Date; input: Blob | string }> {
  const images = new Map<string, { readonly file: string; readonly createdAt: string }>()
  // Most posts show one of the generated images, the others an upload.
  for (const { id, photo, createdAt } of [...data.images, ...data.posts]) {
    if (photo !== null && !images.has(photo)) images.set(photo, { file: `images/${id}.jpg`, createdAt })
  }
  const files: { file: string; photo: string }[] = []
  const missingFiles: string[] = []
  function report() {
    const missing = missingFiles.length
    onProgress({ done: files.length + missing, total: images.size, missing })
  }
  report()
  for (const [photo, { file, createdAt }] of images) {
    const input = await fetchPhoto(photo)
    if (input) {
      files.push({ file, photo })
      yield { name: file, lastModified: new Date(createdAt), input }
    } else missingFiles.push(photo)
    report()
  }
  const content = JSON.stringify({ ...data, files, missingFiles }, null, 2)
  yield { name: 'data.json', lastModified: new Date(), input: content }
}
