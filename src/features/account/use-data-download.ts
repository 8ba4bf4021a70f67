import { useEffect, useRef, useState } from 'react'
import { describeFailure } from '../../api/failure.ts'
import { useSite } from '../../api/site.tsx'
import { trpc } from '../../api/trpc.ts'
import { saveFile } from '../../browser/apis.ts'
import { fetchImage } from '../../images/load-image.ts'
import { archiveFiles } from './archive.ts'
import type { ArchiveProgress } from './archive.ts'
import { archiveName } from './archive-name.ts'

/** How far the archive is, and how its last attempt ended. */
export type DataDownload =
  | { readonly state: 'idle' | 'cancelled' }
  /** `progress` is null until it is known which images there are. */
  | { readonly state: 'gathering'; readonly progress: ArchiveProgress | null }
  | { readonly state: 'saved'; readonly images: number; readonly missing: number }
  | { readonly state: 'failed'; readonly message: string; readonly needsSignIn: boolean }

/** Puts everything that the server keeps of the user signed in into one archive, and saves it. */
export function useDataDownload() {
  const { client } = trpc.useUtils()
  const { name: siteName } = useSite()
  const [download, setDownload] = useState<DataDownload>({ state: 'idle' })
  const running = useRef<AbortController | null>(null)
  // Who leaves the page wants it no more.
  useEffect(() => () => running.current?.abort(), [])

  async function start() {
    if (running.current) return
    const abort = new AbortController()
    running.current = abort
    setDownload({ state: 'gathering', progress: null })
    try {
      setDownload(await gather(abort.signal))
    } catch (error) {
      setDownload(abort.signal.aborted ? { state: 'cancelled' } : failed(error))
    } finally {
      running.current = null
    }
  }

  async function gather(signal: AbortSignal): Promise<DataDownload> {
    const [{ downloadZip }, data] = await Promise.all([
      import('client-zip'),
      client.account.export.query(undefined, { signal }),
    ])
    let missing = 0
    let images = 0
    const files = archiveFiles(
      {
        fetchImage: (photo) => fetchImage(photo, signal),
        now: () => new Date(),
        tell(progress) {
          images = progress.total
          setDownload({ state: 'gathering', progress })
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
    saveFile(archive, archiveName(siteName, new Date()))
    return { state: 'saved', images, missing }
  }

  return {
    download,
    start,
    cancel: () => running.current?.abort(),
    /** Forgets how the last attempt ended. */
    dismiss: () => setDownload({ state: 'idle' }),
  }
}

function failed(error: unknown): DataDownload {
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
        : 'Your data could not be gathered. Try again in a moment.'),
    needsSignIn: false,
  }
}
