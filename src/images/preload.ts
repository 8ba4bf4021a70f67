/** Longer than this, in milliseconds, nobody waits for a picture to be in the browser's cache. */
const patience = 3_000

/** Loads a picture before it is shown, so that it takes another one's place without a gap. Never rejects. */
export async function preload(source: string): Promise<void> {
  const picture = new Image()
  picture.src = source
  const timeout = new Promise((resolve) => setTimeout(resolve, patience))
  await Promise.race([picture.decode(), timeout]).catch(() => {})
}
