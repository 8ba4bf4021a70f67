const folderPattern = /^[A-Za-z0-9_-]{22}$/
const unfinishedPattern = /^\.unfinished-[A-Za-z0-9_-]{22}$/
const filePattern = /^[a-z0-9]+\.(?:jpg|webp)$/

/** Whether a folder on the disk can be that of an image. */
export function isImageFolder(name: string): boolean {
  return folderPattern.test(name)
}

/** Whether a folder is one that is being written or removed, or was when something stopped it. */
export function isUnfinishedFolder(name: string): boolean {
  return unfinishedPattern.test(name)
}

/** Whether a file in an image's folder can be one of its finished ones. */
export function isImageFile(name: string): boolean {
  return filePattern.test(name)
}

/** What an image's folder is called until it is whole. */
export function unfinishedName(folder: string): string {
  return `.unfinished-${folder}`
}
