import type { Context } from 'hono'
import { html } from 'hono/html'
import { pageSizeMax } from '../../../shared/limits.ts'
import { adminPath, collectionPath, pagePaths, postPath } from '../../../shared/routes.ts'
import type { Config } from '../../config/config.ts'
import { listFilledCollections } from '../../collections/collection-queries.ts'
import { siteOrigin } from '../../config/site-origin.ts'
import { readAppearance } from '../../site/appearance.ts'
import { AppError } from '../../errors/app-error.ts'
import { listSitemapParts, listSitemapPosts } from '../../posts/list-posts.ts'
import type { RequestContext } from '../../trpc/context.ts'
import type { RequestContextOf } from '../request-context.ts'
import { sendXml } from './feed.ts'

const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** Name of the part with the pages that are not posts. */
const pagesPart = 'pages'

const partFile = /^(pages|0|[1-9]\d{0,9})\.xml$/

/** Serves the rules for crawlers: pages and images, but no calls and no pages of one user. */
export function serveRobots(config: Config) {
  return (c: Context): Response => {
    const { create, account, moderation, yourImages } = pagePaths
    const closed = ['/api/', '/trpc/', create, account, moderation, adminPath(), yourImages]
    const origin = siteOrigin(config, c.req.raw.headers)
    const lines = [
      'User-agent: *',
      ...closed.map((path) => `Disallow: ${path}`),
      `Allow: ${pagePaths.reference}`,
      ...(origin === null ? [] : ['', `Sitemap: ${origin}/sitemap.xml`]),
    ]
    return c.text(`${lines.join('\n')}\n`)
  }
}

/** Serves the index of the sitemap, which names its parts. */
export function serveSitemapIndex(contextOf: RequestContextOf) {
  return async (c: Context): Promise<Response> => {
    const { services, work, siteOrigin: originOf } = contextOf(c)
    work.add(pageSizeMax)
    const origin = originOf()
    const parts = [pagesPart, ...(await listSitemapParts(services.db))]
    return sendXml(
      c,
      'application/xml',
      html`<sitemapindex xmlns="${namespace}">
        ${parts.map((part) => html`<sitemap><loc>${origin}/sitemaps/${part}.xml</loc></sitemap> `)}</sitemapindex
      >`,
    )
  }
}

/** Serves a part of the sitemap: the pages, or a range of the listed posts. @throws AppError `not_found` */
export function serveSitemapPart(contextOf: RequestContextOf) {
  return async (c: Context<object, '/sitemaps/:file'>): Promise<Response> => {
    const part = partFile.exec(c.req.param('file'))?.[1]
    if (part === undefined) throw new AppError('not_found')
    const context = contextOf(c)
    const origin = context.siteOrigin()
    const urls = part === pagesPart ? await pageUrls(context) : await postUrls(context, Number(part))
    if (urls.length === 0) throw new AppError('not_found')
    return sendXml(
      c,
      'application/xml',
      html`<urlset xmlns="${namespace}">
        ${urls.map(({ path, changedOn }) => html`<url><loc>${origin}${path}</loc>${changedOn && html`<lastmod>${changedOn}</lastmod>`}</url> `)}</urlset
      >`,
    )
  }
}

/** Lists the pages that are not posts; the days of their changes are unknown. */
async function pageUrls({ services }: RequestContext) {
  const { gallery, about, reference } = pagePaths
  const { rules } = await readAppearance(services)
  const paths = [gallery, about, reference, ...(rules === null ? [] : [pagePaths.rules])]
  const collections = await listFilledCollections(services.db)
  return [...paths, ...collections.map(collectionPath)].map((path) => ({ path, changedOn: null }))
}

async function postUrls({ services, signal, work }: RequestContext, part: number) {
  const { db, postIndex } = services
  work.add(pageSizeMax)
  const posts = await postIndex.runLongQuery(signal, () => listSitemapPosts(db, part))
  return posts.map(({ id, changedAt }) => ({
    path: postPath(id),
    changedOn: new Date(changedAt).toISOString().slice(0, 10),
  }))
}
