import { readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { nullIfMissing } from './null-if-missing.ts'

/**
 * Bytes of the files in a folder and in the folders below it; none where it is not there.
 *
 * @param isCounted false for what is directly in the folder and is to be left out
 */
export async function folderSize(
  folder: string,
  isCounted: (name: string) => boolean = () => true,
): Promise<number> {
  let size = 0
  for (const entry of (await nullIfMissing(readdir(folder, { withFileTypes: true }))) ?? []) {
    if (!isCounted(entry.name)) continue
    const name = path.join(folder, entry.name)
    if (entry.isDirectory()) size += await folderSize(name)
    else if (entry.isFile()) size += (await nullIfMissing(stat(name)))?.size ?? 0
  }
  return size
}
