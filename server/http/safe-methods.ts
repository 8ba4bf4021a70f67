const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a request of this method changes nothing. */
export function isSafeMethod(method: string): boolean {
  return readingMethods.has(method)
}
