/** Puts a text on the clipboard; answers false where the browser keeps pages from it, as it does without https. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
