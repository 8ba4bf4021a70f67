import { html, raw } from 'hono/html'
import { fitUrl, sizeWithin, thumbnailUrl } from '../../../shared/image-files.ts'
import type { PageData, SiteSettings } from '../../../shared/page-data.ts'
import { listPath } from '../../../src/api/list-address.ts'
import type { Post, PostDetails } from '../../../shared/posts.ts'
import { authorPath, collectionFeedPath, pagePaths, postPath } from '../../../shared/routes.ts'
import type { PageMeta } from '../../../src/page-meta.ts'
import type { PageName } from '../../../src/routes.ts'
import { i18nOf } from '../../../src/render.tsx'
import { alternativeText } from '../../../src/features/post/post-texts.ts'
import { keptSourceType } from '../../formats/marks.ts'
import { digitalSourceTypeOf, sourceTypeUrl } from '../../formats/xmp.ts'
import { feedPath, feedTitle } from '../routes/feed.ts'
import { manifestPath, themeColors } from '../routes/web-app.ts'

interface DescribedPost extends PostDetails {
  /** Alternative text of its image. */
  readonly text: string
}

/** Image of pages that have none of their own, in `public`. */
const siteImage = { path: '/social-preview.jpg', width: 1200, height: 630 }

/** Longest side of previews, in pixels. Chat programs ignore files of many megabytes. */
const previewMaxSide = 2048

/** Pages for one user, or for those who have their address. */
const userPages: ReadonlySet<PageName> = new Set([
  'account',
  'moderation',
  'admin',
  'yourImages',
  'invitation',
  'joinCollection',
  'wall',
  'resetPassword',
  'setup',
  'consent',
  'verifyEmail',
])

/** Checks whether search engines should leave a page out: pages of one user, invitations, search results and unlisted posts. */
export function isUnindexed(
  { page }: PageMeta,
  { gallery, post, collection, collections }: PageData,
): boolean {
  if (page === 'collection') return collection?.visibility !== 'public'
  if (page === 'collections') return collections?.search !== ''
  if (page === 'gallery' || page === 'author')
    return !gallery || listPath({ ...gallery, authorId: null, cursor: null }) !== pagePaths.gallery
  if (post?.details.hidden) return true
  return userPages.has(page) || (page === 'post' && post?.details.visibility !== 'public')
}

/**
 * Renders what other programs read about a page: address, preview, feeds and structured data.
 * @param origin origin of absolute URLs; null if the request has no valid host, which leaves them out
 */
export function headTags(meta: PageMeta, data: PageData, origin: string | null) {
  const robots = isUnindexed(meta, data) ? 'noindex' : 'max-image-preview:large'
  const common = html`<meta name="robots" content="${robots}" />
    <meta name="theme-color" content="${themeColors.light}" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="${themeColors.dark}" media="(prefers-color-scheme: dark)" />
    <link rel="manifest" href="${manifestPath}" crossorigin="use-credentials" />
    <link rel="apple-touch-icon" href="${data.site.logo ?? '/apple-touch-icon.png'}" />`
  const path = pathOf(meta, data)
  if (origin === null || path === null) return common
  const details = data.post?.details
  const post = details && { ...details, text: alternativeText(details, i18nOf(data.language)) }
  const cover = data.collection?.cover
  const image = post ?? (cover && { ...cover, text: alternativeText(cover, i18nOf(data.language)) })
  const url = origin + path
  return html`${common}
    <link rel="canonical" href="${url}" />
    <meta property="og:site_name" content="${data.site.name}" />
    <meta property="og:type" content="${post ? 'article' : 'website'}" />
    <meta property="og:title" content="${meta.title}" />
    <meta property="og:description" content="${meta.description}" />
    <meta property="og:url" content="${url}" />
    ${imageTags(image, origin)} ${post ? postTags(post, data.site, url, origin) : feedLinks(data)}
    ${data.collection && oembedLink(url, data.collection.title, origin)}`
}

/**
 * The one path of a page, however it was requested; null for a page that does not exist, one of several sections, a
 * secret one, a hidden post, or one whose list can't be shown.
 */
function pathOf({ page }: PageMeta, { gallery, post }: PageData): string | null {
  switch (page) {
    case 'notFound':
    case 'admin':
    case 'invitation':
    case 'joinCollection':
    case 'wall':
    case 'setup':
      return null
    case 'gallery':
    case 'author':
    case 'collection':
      return gallery && listPath(gallery)
    case 'post':
      return post && !post.details.hidden ? postPath(post.details.id) : null
    default:
      return pagePaths[page]
  }
}

function imageTags(post: (Post & Pick<DescribedPost, 'text'>) | null | undefined, origin: string) {
  const image = post && !post.isSensitive ? imageOf(post) : siteImage
  return html`<meta property="og:image" content="${origin}${image.path}" />
    <meta property="og:image:type" content="image/${image.path.endsWith('.webp') ? 'webp' : 'jpeg'}" />
    <meta property="og:image:width" content="${image.width}" />
    <meta property="og:image:height" content="${image.height}" />
    ${image !== siteImage && post && html`<meta property="og:image:alt" content="${post.text}" />`}
    <meta name="twitter:card" content="summary_large_image" />`
}

/** Returns the original of an image, or its largest copy if the original is too large for previews. */
function imageOf({ photo, width, height }: Post): typeof siteImage {
  if (Math.max(width, height) <= previewMaxSide) return { path: photo, width, height }
  return { path: fitUrl(photo, 1280), ...sizeWithin({ width, height }, { width: 1280, height: 1280 }) }
}

function postTags(post: DescribedPost, site: SiteSettings, url: string, origin: string) {
  const json = JSON.stringify(imageObject(post, site, url, origin)).replaceAll('<', String.raw`\u003c`)
  return html`<meta property="article:published_time" content="${post.createdAt}" />
    ${oembedLink(url, post.text, origin)} ${raw(`<script type="application/ld+json">${json}</script>`)}`
}

function oembedLink(url: string, title: string, origin: string) {
  const oembed = `/oembed?${new URLSearchParams({ url, format: 'json' })}`
  return html`<link
    rel="alternate"
    type="application/json+oembed"
    href="${origin}${oembed}"
    title="${title}"
  />`
}

/** Structured data of an image; without the files of a sensitive one. @see https://schema.org/ImageObject */
function imageObject(post: DescribedPost, site: SiteSettings, url: string, origin: string) {
  const sourceType = post.engineKind ? digitalSourceTypeOf(post.engineKind) : keptSourceTypeUrl(post)
  return {
    '@context': 'https://schema.org',
    '@type': 'ImageObject',
    url,
    name: post.text,
    ...(post.prompt && { description: post.prompt }),
    ...(post.isSensitive
      ? { isFamilyFriendly: false }
      : { contentUrl: origin + post.photo, thumbnailUrl: origin + thumbnailUrl(post.photo, 640) }),
    encodingFormat: 'image/jpeg',
    width: post.width,
    height: post.height,
    datePublished: post.createdAt,
    creator: { '@type': 'Person', name: post.name, url: origin + authorPath(post.authorId) },
    creditText: post.name,
    acquireLicensePage: origin + (site.hasRules ? pagePaths.rules : pagePaths.about),
    ...(sourceType && { digitalSourceType: sourceType }),
    representativeOfPage: true,
  }
}

function keptSourceTypeUrl({ marks }: PostDetails): string | null {
  const type = marks && keptSourceType(marks)
  return type && sourceTypeUrl(type)
}

/** Names the feed of the gallery, and that of the list that the page shows. */
function feedLinks({ site, gallery, author, collection }: PageData) {
  const feed = (path: string, title: string) =>
    html`<link rel="alternate" type="application/atom+xml" href="${path}" title="${title}" />`
  const { authorId = null, search = '' } = gallery ?? {}
  return html`${feed('/feed.xml', site.name)}
  ${collection && feed(collectionFeedPath(collection.id), `${collection.title} — ${site.name}`)}
  ${(search || authorId) && feed(feedPath({ authorId, search }), feedTitle(search, author, site.name))}`
}
