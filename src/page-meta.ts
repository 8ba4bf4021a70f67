import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { sendsAccountMails } from '../shared/mailed-links.ts'
import type { PageData } from '../shared/page-data.ts'
import { adminSectionAt, adminTitle } from './features/admin/admin-page.tsx'
import { postTitle } from './features/post/post-texts.ts'
import { shorten } from './ui/text.tsx'
import { pageAt, titleOf, type PageName } from './routes.ts'

/** Title, description and status of a page's document. */
export interface PageMeta {
  /** The page that is shown: `notFound` also for the path of a page that has nothing to show. */
  readonly page: PageName
  readonly title: string
  readonly description: string
  readonly status: 200 | 404
}

/**
 * Describes the document of a page on the server.
 *
 * @param query the query string, with or without its question mark
 */
export function describePage(path: string, query: string, data: PageData, i18n: I18n): PageMeta {
  const page = pageFor(path, data)
  return {
    page,
    title: titleOf(page, query, data.site, i18n) ?? titleFromData(path, data, i18n),
    description: descriptionOf(page, data, i18n),
    status: page === 'notFound' ? 404 : 200,
  }
}

/** Returns the page at a path; the page for unknown paths if there is nothing to show there. */
function pageFor(
  path: string,
  { site, post, author, collection, text, invitation, setup }: PageData,
): PageName {
  const page = pageAt(path)
  const hasMail = sendsAccountMails(site.auth)
  const isMissing =
    (page === 'post' && !post) ||
    (page === 'author' && !author) ||
    ((page === 'collection' || page === 'wall') && !collection) ||
    (page === 'rules' && !text) ||
    (page === 'invitation' && !invitation) ||
    (page === 'setup' && !setup) ||
    (page === 'admin' && !adminSectionAt(path)) ||
    ((page === 'resetPassword' || page === 'verifyEmail') && !hasMail)
  return isMissing ? 'notFound' : page
}

/** Title of a page that shows something with a name of its own. */
function titleFromData(path: string, { site, post, author, collection }: PageData, i18n: I18n): string {
  const section = adminSectionAt(path)
  const shown = section
    ? adminTitle(section, i18n)
    : (collection?.title ?? author?.name ?? (post && postTitle(post.details, i18n)))
  return shown ? `${shown} — ${site.name}` : site.name
}

function descriptionOf(page: PageName, { site, post, author, collection }: PageData, i18n: I18n): string {
  if (collection?.description) return shorten(collection.description)
  const { name: siteName } = site
  const authorName = author?.name ?? post?.details.name ?? ''
  const descriptions: Readonly<Record<PageName, MessageDescriptor>> = {
    gallery: msg`A gallery of images that users made from text prompts with ${siteName}. Browse, search and make your own.`,
    create: msg`Describe a scene, see it as an image, and share it in the gallery of ${siteName}.`,
    account: msg`Your name, your password and your data on ${siteName}.`,
    moderation: msg`Reported posts of ${siteName}, for its moderators.`,
    admin: msg`Users, engines and settings of ${siteName}, for its administrators.`,
    yourImages: msg`All images that you generated on ${siteName}, shared or not.`,
    post: msg`An image that ${authorName} shared on ${siteName}.`,
    author: msg`Images that ${authorName} shared on ${siteName}.`,
    notifications: msg`What happened to your posts and images on ${siteName}.`,
    collections: msg`Collections of images that users of ${siteName} put together.`,
    collection: msg`A collection of images on ${siteName}.`,
    joinCollection: msg`An invitation to a collection on ${siteName}.`,
    wall: msg`A slideshow of a collection on ${siteName}.`,
    about: msg`What ${siteName} is, where its images come from, and how other programs use it.`,
    verify: msg`Whether an image comes from ${siteName}, and what its file says about how it was made.`,
    rules: msg`What users may do on ${siteName}, and what they may not.`,
    reference: msg`How your own programs list, generate and share images of ${siteName}.`,
    invitation: msg`An invitation to create an account on ${siteName}.`,
    resetPassword: msg`A new password for your account on ${siteName}.`,
    verifyEmail: msg`Confirm the email of your account on ${siteName}.`,
    consent: msg`Whether a program may act as you on ${siteName}.`,
    setup: msg`Create the first administrator of ${siteName}.`,
    notFound: msg`This page of ${siteName} does not exist.`,
  }
  return i18n._(descriptions[page])
}
