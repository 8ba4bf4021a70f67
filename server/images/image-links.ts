import { AppError } from '../errors/app-error.ts'
import { readDecimal } from '../text/read-decimal.ts'
import { Signer } from '../text/signer.ts'
import { noSuchImage } from './images.ts'
import type { Encoding } from './processing.ts'

/** Time for which a link opens, in seconds. */
const lifetimeSeconds = 60 * 60

const formats: readonly Encoding['format'][] = ['png', 'jpeg', 'webp']

export interface LinkTarget extends Encoding {
  readonly imageId: string
}

/**
 * Creates and verifies links that open an image without credentials for an hour. They are signed with a key of the site, so
 * that only the site creates them; `findLinkedImage` decides whether the image is still for those who have one.
 *
 * @see docs/contributing/decisions/0096-openai-images-api.md
 */
export class ImageLinks {
  readonly #signer: Signer
  readonly #now: () => number

  constructor(secret: string, now: () => number) {
    this.#signer = new Signer(secret, 'image links')
    this.#now = now
  }

  /** Creates a link, as a path on this site. */
  create(target: LinkTarget): string {
    const unsigned = unsignedPath(target, Math.floor(this.#now() / 1_000) + lifetimeSeconds)
    return `${unsigned}&signature=${this.#signer.sign(unsigned)}`
  }

  /**
   * Verifies a link by the last segment of its path.
   * @throws AppError `not_found` for one that the site did not sign; `forbidden` once expired
   */
  verify(file: string, query: Readonly<Record<string, string>>): LinkTarget {
    const [imageId = '', extension] = file.split('.')
    const format = formats.find((one) => one === extension)
    const { expires = '', compression, signature = '' } = query
    if (!format) throw noSuchImage()
    const expiresAt = readDecimal(expires)
    const quality = compression === undefined ? undefined : readDecimal(compression)
    const target = { imageId, format, quality }
    if (!this.#signer.isSigned(unsignedPath(target, expiresAt), signature)) throw noSuchImage()
    const secondsLeft = expiresAt - this.#now() / 1_000
    if (secondsLeft <= 0) throw new AppError('forbidden', 'This link has expired.')
    // The clock was wrong when it was created.
    if (secondsLeft > lifetimeSeconds) throw noSuchImage()
    return target
  }
}

function unsignedPath({ imageId, format, quality }: LinkTarget, expiresAt: number): string {
  const compression = quality === undefined ? '' : `compression=${quality}&`
  return `/v1/images/${imageId}.${format}?${compression}expires=${expiresAt}`
}
