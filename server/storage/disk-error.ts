import { storageFull, storageUnavailable } from '../errors/app-error.ts'

/** The disk, a quota of its own or a limit of the process lets nothing grow. */
const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Seconds after which a failing disk may have been mended. */
const repairTime = 30

/** Does work on the disk; what the disk answers becomes `storage_full` or `storage_unavailable`. */
export async function onDisk<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw toStorageError(error)
  }
}

/** The system's code of an error, such as ENOENT; undefined for what is no fault of the system. */
export function systemCode(error: unknown): string | undefined {
  const isSystemError = error instanceof Error && 'syscall' in error && 'code' in error
  return isSystemError && typeof error.code === 'string' ? error.code : undefined
}

function toStorageError(error: unknown): unknown {
  const code = systemCode(error)
  if (code === undefined) return error
  return fullCodes.has(code) ? storageFull(error) : storageUnavailable(error, repairTime)
}
