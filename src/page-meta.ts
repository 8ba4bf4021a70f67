import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { sendsAccountMails } from '../shared/mailed-links.ts'
import type { PageData } from '../shared/page-data.ts'
import { adminSectionAt, adminTitle } from './features/admin/sections.tsx'
import { postTitle } from './features/post/post-texts.ts'
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
function pageFor(path: string, { site, post, author, text, invitation }: PageData): PageName {
  const page = pageAt(path)
  const hasMail = sendsAccountMails(site.auth)
  const isMissing =
    (page === 'post' && !post) ||
    (page === 'author' && !author) ||
    (page === 'rules' && !text) ||
    (page === 'invitation' && !invitation) ||
    (page === 'admin' && !adminSectionAt(path)) ||
    ((page === 'resetPassword' || page === 'verifyEmail') && !hasMail)
  return isMissing ? 'notFound' : page
}

/** Title of a page that shows something with a name of its own. */
function titleFromData(path: string, { site, post, author }: PageData, i18n: I18n): string {
  const section = adminSectionAt(path)
  if (section) return adminTitle(section, site.name, i18n)
  if (author) return `${author.name} — ${site.name}`
  return post ? `${postTitle(post.details, i18n)} — ${site.name}` : site.name
}

function descriptionOf(page: PageName, { site, post, author }: PageData, i18n: I18n): string {
  const { name: siteName } = site
  const authorName = author?.name ?? post?.details.name ?? ''
  switch (page) {
    case 'gallery':
      return i18n._(
        msg`A gallery of images that users made from text prompts with ${siteName}. Browse, search and make your own.`,
      )
    case 'create':
      return i18n._(msg`Describe a scene, see it as an image, and share it in the gallery of ${siteName}.`)
    case 'account':
      return i18n._(msg`Your name, your password and your data on ${siteName}.`)
    case 'moderation':
      return i18n._(msg`Reported posts of ${siteName}, for its moderators.`)
    case 'admin':
      return i18n._(msg`Users, engines and settings of ${siteName}, for its administrators.`)
    case 'yourImages':
      return i18n._(msg`All images that you generated on ${siteName}, shared or not.`)
    case 'post':
      return i18n._(msg`An image that ${authorName} shared on ${siteName}.`)
    case 'author':
      return i18n._(msg`Images that ${authorName} shared on ${siteName}.`)
    case 'about':
      return i18n._(msg`What ${siteName} is, where its images come from, and how other programs use it.`)
    case 'rules':
      return i18n._(msg`What users may do on ${siteName}, and what they may not.`)
    case 'reference':
      return i18n._(msg`How your own programs list, generate and share images of ${siteName}.`)
    case 'invitation':
      return i18n._(msg`An invitation to create an account on ${siteName}.`)
    case 'resetPassword':
      return i18n._(msg`A new password for your account on ${siteName}.`)
    case 'verifyEmail':
      return i18n._(msg`Confirm the email of your account on ${siteName}.`)
    case 'notFound':
      return i18n._(msg`This page of ${siteName} does not exist.`)
  }
}
