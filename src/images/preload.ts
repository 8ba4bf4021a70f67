/** Longer than this, in milliseconds, nobody waits for an image to be in the browser's cache. */
const patience = 3_000

/** Loads an image before it is shown, so that it takes another one's place without a gap. Never rejects. */
export async function preload(source: string): Promise<void> {
  const image = new Image()
  image.src = source
  const timeout = new Promise((resolve) => setTimeout(resolve, patience))
  await Promise.race([image.decode(), timeout]).catch(() => {})
}
