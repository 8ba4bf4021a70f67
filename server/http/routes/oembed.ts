import type { Context } from 'hono'
import { fitUrl, sizeWithin, type ImageDimensions } from '../../../shared/image-files.ts'
import type { Post } from '../../../shared/posts.ts'
import { authorPath, matchPath, pagePaths } from '../../../shared/routes.ts'
import { promptTitle } from '../../../src/features/post/post-texts.ts'
import { readAppearance } from '../../site/appearance.ts'
import { AppError } from '../../errors/app-error.ts'
import { createCaller } from '../../trpc/caller.ts'
import { idPattern } from '../../procedures/inputs.ts'
import { readDecimalBetween } from '../../text/read-decimal.ts'
import { anonymous, type RequestContextOf } from '../request-context.ts'

/** Seconds for which consumers may keep a response. */
const cacheAge = 3_600

/**
 * Serves the oEmbed description of a post: its image, or a link if the image is sensitive; or of a collection: a link, with its cover.
 *
 * @throws AppError `not_found`, `bad_input`
 * @see https://oembed.com
 */
export function serveOembed(contextOf: RequestContextOf) {
  return async (c: Context): Promise<Response> => {
    const { url, format = 'json', maxwidth, maxheight } = c.req.query()
    if (format !== 'json') return c.text('Only the format json is supported.', 501)
    const context = anonymous(contextOf(c))
    const origin = context.siteOrigin() ?? ''
    const collectionId = idOfPage(pagePaths.collection, url ?? '', origin)
    const caller = createCaller(context)
    const provider = {
      version: '1.0',
      provider_name: (await readAppearance(context.services)).name,
      provider_url: origin,
      cache_age: cacheAge,
    }
    if (collectionId !== null) {
      const { title, ownerName, cover } = await caller.collections.get({ id: collectionId })
      return c.json({
        ...provider,
        type: 'link',
        title,
        ...(ownerName !== null && { author_name: ownerName }),
        ...(cover && !cover.isSensitive && thumbnailFields(cover, origin)),
      })
    }
    const id = idOfPage(pagePaths.post, url ?? '', origin)
    if (id === null) throw new AppError('not_found', 'Post not found.')
    const bounds = { width: pixels('maxwidth', maxwidth), height: pixels('maxheight', maxheight) }
    const post = await caller.posts.get({ id })
    return c.json({
      ...provider,
      title: promptTitle(post.prompt) || `Image by ${post.name}`,
      author_name: post.name,
      author_url: origin + authorPath(post.authorId),
      ...(post.isSensitive ? { type: 'link' } : photoFields(post, origin, bounds)),
    })
  }
}

/** The id in the address of a post or collection on this site; null for other addresses. */
function idOfPage(pagePath: string, url: string, origin: string): string | null {
  const parsed = URL.canParse(url) ? new URL(url) : null
  const id = parsed?.origin === origin ? matchPath(pagePath, parsed.pathname) : null
  return id !== null && idPattern.test(id) ? id : null
}

/** @throws AppError `bad_input` */
function pixels(name: string, value: string | undefined): number {
  if (value === undefined) return Infinity
  const number = readDecimalBetween(value, 1, Infinity)
  if (number === null) throw new AppError('bad_input', `\`${name}\` must be a number of pixels.`)
  return number
}

function thumbnailFields(cover: Post, origin: string) {
  const { width, height } = sizeWithin(cover, { width: 640, height: 640 })
  const url = origin + fitUrl(cover.photo, 640)
  return { thumbnail_url: url, thumbnail_width: width, thumbnail_height: height }
}

/** Names the largest file of the image within the bounds; the smallest, to be shown smaller, if there is none. */
function photoFields(post: Post, origin: string, bounds: ImageDimensions) {
  const { width, height, photo } = post
  const files = [
    { path: photo, width, height },
    { path: fitUrl(photo, 1280), ...sizeWithin(post, { width: 1280, height: 1280 }) },
    { path: fitUrl(photo, 640), ...sizeWithin(post, { width: 640, height: 640 }) },
  ]
  const file = files.find((one) => one.width <= bounds.width && one.height <= bounds.height) ?? {
    path: fitUrl(photo, 640),
    ...sizeWithin(post, bounds),
  }
  return { type: 'photo', url: origin + file.path, width: file.width, height: file.height }
}
