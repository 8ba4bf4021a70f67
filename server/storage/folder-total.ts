import { folderSize } from './folder-size.ts'
import { UploadsQuota } from './uploads-quota.ts'

/** What a folder holds, counted on from what was measured in it once. */
export interface FolderTotal {
  readonly quota: UploadsQuota
  /** Bytes of all files; null while they are measured. Throws what kept them from being measured. */
  readonly bytes: number | null
}

/** Measures a folder before anything is put into it, as a limit must know from the start. */
export async function limitedTotal(directory: string, maxBytes: number): Promise<FolderTotal> {
  const measure = () => folderSize(directory)
  const quota = new UploadsQuota(maxBytes, measure)
  quota.add(await measure())
  return {
    quota,
    get bytes() {
      return quota.bytes
    },
  }
}

/**
 * Measures a folder while it is in use, as nobody should have to wait for a figure. What is removed before it was
 * reached is missing from the sum until the next start.
 *
 * @param isNew whether a name was put there since, and counts itself
 */
export function unlimitedTotal(directory: string, isNew: (name: string) => boolean): FolderTotal {
  // Without a limit nothing is refused, and so nothing is measured again.
  const quota = new UploadsQuota(Infinity, () => folderSize(directory))
  let bytes = (): number | null => null
  async function measure(): Promise<void> {
    try {
      quota.add(await folderSize(directory, (name) => !isNew(name)))
      bytes = () => quota.bytes
    } catch (error) {
      bytes = () => {
        throw error
      }
    }
  }
  void measure()
  return {
    quota,
    get bytes() {
      return bytes()
    },
  }
}
