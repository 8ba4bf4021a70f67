import type { PageData } from '../shared/page-data.ts'
import { postTitle } from './features/post/post-title.ts'
import { pageAt, titleOf } from './routes.ts'
import type { PageName } from './routes.ts'

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
export function describePage(path: string, query: string, data: PageData): PageMeta {
  const page = pageFor(path, data)
  return {
    page,
    title: titleOf(page, query, data.site) ?? titleFromData(data),
    description: descriptionOf(page, data),
    status: page === 'notFound' ? 404 : 200,
  }
}

/** Returns the page at a path; the page for unknown paths if there is nothing to show there. */
function pageFor(path: string, { post, author, rules }: PageData): PageName {
  const page = pageAt(path)
  const isMissing =
    (page === 'post' && !post) || (page === 'author' && !author) || (page === 'rules' && !rules)
  return isMissing ? 'notFound' : page
}

/** Title of a page that shows something with a name of its own. */
function titleFromData({ site, post, author }: PageData): string {
  if (author) return `${author.name} — ${site.name}`
  return post ? `${postTitle(post.details)} — ${site.name}` : site.name
}

function descriptionOf(page: PageName, { site, post, author }: PageData): string {
  switch (page) {
    case 'gallery':
      return `A gallery of images that users made from text prompts with ${site.name}. Browse, search and make your own.`
    case 'create':
      return `Describe a scene, see it as an image, and share it in the gallery of ${site.name}.`
    case 'account':
      return `Your name, your password and your data on ${site.name}.`
    case 'moderation':
      return `Reported posts of ${site.name}, for its administrators.`
    case 'yourImages':
      return `All images that you generated on ${site.name}, shared or not.`
    case 'post':
      return `An image that ${post?.details.name} shared on ${site.name}.`
    case 'author':
      return `Images that ${author?.name} shared on ${site.name}.`
    case 'about':
      return `What ${site.name} is, where its images come from, and how other programs use it.`
    case 'rules':
      return `What users may do on ${site.name}, and what they may not.`
    case 'notFound':
      return `This page of ${site.name} does not exist.`
  }
}
