import { open } from 'node:fs/promises'

/** Writes a new file so that a power cut can't take its bytes away; its name needs `syncFolder`. */
export async function writeDurably(
  filePath: string,
  bytes: Uint8Array | string,
  mode = 0o666,
): Promise<void> {
  const handle = await open(filePath, 'wx', mode)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes durable what something else wrote into a file. */
export async function syncFile(filePath: string): Promise<void> {
  const handle = await open(filePath, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Makes a folder's entries durable: without it, a renamed file's name may be lost though its bytes are not. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
