/** Where an image came from: made here by the image engine, or brought by its poster. */
export type ImageSource = 'generated' | 'uploaded'

/** An image shared to the gallery, as every visitor sees it. */
export interface Post {
  readonly id: string
  /** The author's shown name, chosen at sharing; not an account's name. */
  readonly name: string
  readonly prompt: string
  /** Path of the original JPEG on this server; see `thumbnailUrl` for the small ones. */
  readonly photo: string
  /** Pixels of the original. */
  readonly width: number
  readonly height: number
  /** ThumbHash of the image, base64. */
  readonly placeholder: string
  readonly source: ImageSource
  /** Which engine made it; null for an upload. */
  readonly engine: string | null
  /** Opaque id of the account that shared it; compare it with the viewer's to offer Delete. */
  readonly authorId: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

/** One page of the gallery, newest first. */
export interface PostPage {
  readonly posts: readonly Post[]
  /** How many posts match in all. */
  readonly total: number
  /** Opaque; pass it as `cursor` for the next page. Null on the last page. */
  readonly nextCursor: string | null
}
