import { folderSize } from './folder-size.ts'
import { createUploadsQuota, type UploadsQuota } from './uploads-quota.ts'

/** What a folder holds, counted on from what was measured in it once. */
export interface FolderTotal {
  readonly quota: UploadsQuota
  /** Bytes with what is set aside; null while they are measured. Throws what kept them from being measured. */
  readonly taken: number | null
}

/** Measures a folder before anything is put into it, as a limit must know from the start. */
export async function limitedTotal(directory: string, maxBytes: number): Promise<FolderTotal> {
  const quota = createUploadsQuota(maxBytes, await folderSize(directory))
  return {
    quota,
    get taken() {
      return quota.taken
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
  const quota = createUploadsQuota(Infinity, 0)
  let taken = (): number | null => null
  async function measure(): Promise<void> {
    try {
      quota.count(await folderSize(directory, (name) => !isNew(name)))
      taken = () => quota.taken
    } catch (error) {
      taken = () => {
        throw error
      }
    }
  }
  void measure()
  return {
    quota,
    get taken() {
      return taken()
    },
  }
}
