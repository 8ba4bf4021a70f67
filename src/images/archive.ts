import type { downloadZip as DownloadZip } from 'client-zip'
import { fetchImage } from './download-image.ts'

/** Puts files into an archive. @throws if it was canceled meanwhile */
export async function archiveOf(
  files: Parameters<typeof DownloadZip>[0],
  signal: AbortSignal,
): Promise<Blob> {
  const { downloadZip } = await import('client-zip')
  const archive = await downloadZip(files).blob()
  signal.throwIfAborted()
  return archive
}

/** Fetches an image for an archive; null if it can't be fetched. @throws if the archive was canceled */
export async function fetchIfPossible(path: string, signal: AbortSignal): Promise<Blob | null> {
  try {
    return await fetchImage(path, signal)
  } catch (cause) {
    signal.throwIfAborted()
    console.error('could not fetch an image', cause)
    return null
  }
}

/** File name of an archive: `rangoli-data-2026-11-21.zip`. */
export function archiveName(siteName: string, content: 'data' | 'images', today: Date): string {
  const site = siteName
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
  const day = [today.getFullYear(), today.getMonth() + 1, today.getDate()]
    .map((number) => String(number).padStart(2, '0'))
    .join('-')
  return [site, content, day].filter(Boolean).join('-').concat('.zip')
}
