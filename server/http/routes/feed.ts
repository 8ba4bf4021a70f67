import type { Context } from 'hono'
import { html } from 'hono/html'
import { pageSize } from '../../../shared/limits.ts'
import type { ListAddress } from '../../../shared/page-data.ts'
import type { Author, Post } from '../../../shared/posts.ts'
import { authorPath, collectionFeedPath, collectionPath, postPath } from '../../../shared/routes.ts'
import { galleryAddress, listPath } from '../../../src/api/list-address.ts'
import { promptTitle } from '../../../src/features/post/post-texts.ts'
import { readAppearance } from '../../site/appearance.ts'
import { readSite } from '../../db/site.ts'
import { createCaller } from '../../trpc/caller.ts'
import { notXml } from '../../formats/xmp.ts'
import { anonymous, type RequestContextOf } from '../request-context.ts'

/**
 * Serves the newest posts as an Atom feed: all, or those of an author, of a search, or both; or the first posts of a collection.
 *
 * @throws AppError `bad_input`; `not_found` for an author without listed posts, and a collection that visitors do not see
 * @see https://www.rfc-editor.org/rfc/rfc4287
 */
export function serveFeed(contextOf: RequestContextOf) {
  return async (c: Context): Promise<Response> => {
    const context = anonymous(contextOf(c))
    const { author: authorId, q = '', collection: collectionId } = c.req.query()
    const search = q.trim()
    const caller = createCaller(context)
    const author = authorId === undefined ? null : await caller.posts.author({ authorId })
    const collection = collectionId === undefined ? null : await caller.collections.get({ id: collectionId })
    const { posts } = await caller.posts.list({ search, authorId, collectionId, limit: pageSize })
    const address = { ...galleryAddress, authorId: authorId ?? null, search }
    const { name } = await readAppearance(context.services)
    const title = collection ? `${collection.title} — ${name}` : feedTitle(search, author, name)
    const feed = collection ? collectionFeedPath(collection.id) : feedPath(address)
    const origin = context.siteOrigin() ?? ''
    const site = await readSite(context.services.db)
    const newest = posts.map(({ createdAt }) => createdAt).toSorted()
    const updated = newest.at(-1) ?? new Date(site?.createdAt ?? 0).toISOString()
    return sendXml(
      c,
      'application/atom+xml',
      html`<feed xmlns="http://www.w3.org/2005/Atom">
        <id>${origin}${feed}</id>
        <title>${title}</title>
        <updated>${updated}</updated>
        <link rel="self" type="application/atom+xml" href="${origin}${feed}" />
        <link
          rel="alternate"
          type="text/html"
          href="${origin}${collection ? collectionPath(collection.id) : listPath(address)}"
        />
        <generator>Rangoli</generator>
        <icon>${origin}/apple-touch-icon.png</icon>
        ${posts.map((post) => entryOf(post, origin))}
      </feed>`,
    )
  }
}

export function feedPath({ authorId, search }: Pick<ListAddress, 'authorId' | 'search'>): string {
  const query = new URLSearchParams({
    ...(authorId !== null && { author: authorId }),
    ...(search && { q: search }),
  })
  return query.size === 0 ? '/feed.xml' : `/feed.xml?${query}`
}

export function feedTitle(search: string, author: Author | null, siteName: string): string {
  return [search && `Results for ${search}`, author?.name, siteName].filter(Boolean).join(' — ')
}

/** The id of an entry is the same at every address of the site. */
function entryOf(post: Post, origin: string) {
  const url = origin + postPath(post.id)
  return html`<entry>
    <id>urn:uuid:${post.id}</id>
    <title>${promptTitle(post.prompt) || `Image by ${post.name}`}</title>
    <published>${post.createdAt}</published>
    <updated>${post.createdAt}</updated>
    <author><name>${post.name}</name><uri>${origin}${authorPath(post.authorId)}</uri></author>
    <link rel="alternate" type="text/html" href="${url}" />
    ${
      post.isSensitive
        ? html`<category term="sensitive" label="Sensitive" />`
        : html`<link rel="enclosure" type="image/jpeg" href="${origin}${post.photo}" />`
    }
    <content type="xhtml">
      <div xmlns="http://www.w3.org/1999/xhtml">
        <p><a href="${url}">${imageOf(post, origin)}</a></p>
        <p>${post.prompt}</p>
      </div>
    </content>
  </entry>`
}

function imageOf({ photo, width, height, isSensitive }: Post, origin: string) {
  return isSensitive
    ? 'This image is marked as sensitive. Open the post to see it.'
    : html`<img src="${origin}${photo}" width="${width}" height="${height}" alt="" />`
}

/** Responds with an XML document from a template that escapes its values. */
export async function sendXml(
  c: Context,
  type: 'application/atom+xml' | 'application/xml',
  document: ReturnType<typeof html>,
): Promise<Response> {
  const text = `<?xml version="1.0" encoding="utf-8"?>\n${await document}`
  return c.body(text.replace(notXml, ''), 200, { 'Content-Type': `${type}; charset=utf-8` })
}
