import { msg } from '@lingui/core/macro'
import type { Context } from 'hono'
import { setCookie } from 'hono/cookie'
import { html, raw } from 'hono/html'
import { directionOf } from '../../../shared/languages.ts'
import { pageSize, yearSeconds } from '../../../shared/limits.ts'
import { readRelatedPosts } from '../../../src/api/post-details.ts'
import { listAddressIn, listInput, listPath } from '../../../src/api/list-address.ts'
import {
  viewCookie,
  type ListAddress,
  type PageData,
  type SignInSettings,
  type SiteSettings,
  type TextPage,
} from '../../../shared/page-data.ts'
import { matchPath, pagePaths } from '../../../shared/routes.ts'
import type { SiteOptions } from '../../../shared/site-options.ts'
import { loadingScript } from '../../../src/browser/loading-script.ts'
import { i18nOf, render, type RenderedPage } from '../../../src/render.tsx'
import { examplePrompts } from '../../../src/ui/example-prompts.ts'
import { announcementsSource } from '../../../src/announcements.tsx'
import restReference from '../../../docs/rest.md?raw'
import { dismissedScript } from '../../../src/browser/dismissed-script.ts'
import { hasOtherMessages, pagesSource, pageSource } from '../../../src/pages.tsx'
import { pageAt, type PageName } from '../../../src/routes.ts'
import { themeBootScript } from '../../../src/theme/boot-script.ts'
import type { Config } from '../../config/config.ts'
import { relyingPartyOf } from '../../auth/passkeys.ts'
import { readAppearance, type SiteAppearance } from '../../site/appearance.ts'
import { accentPath } from '../routes/appearance.ts'
import { readTheme } from '../../collections/collection-queries.ts'
import { shownAnnouncements } from '../../collections/theme.ts'
import { describeInvitation } from '../../invitations/invitations.ts'
import type { RequestContext, Services } from '../../trpc/context.ts'
import { AppError } from '../../errors/app-error.ts'
import { describeError } from '../../errors/describe-error.ts'
import { createCaller, type Caller } from '../../trpc/caller.ts'
import { anonymous, type RequestContextOf } from '../request-context.ts'
import { privatePage } from '../cache/public-reads.ts'
import { isForPage } from '../errors.ts'
import { languageHeaders, languageOf, languageOptions, viewOf } from '../language.ts'
import { fontPreload, messageSources, type ClientBuild, type PageFiles } from './client-build.ts'
import { inlineScript } from '../middleware/security-headers.ts'
import { headTags, isUnindexed } from './head.ts'
import { renderMarkdown } from '../../text/markdown.ts'

/**
 * Renders every page, the gallery with its first posts, and a post with its image. The HTML is the same for everyone of a
 * language: the page loads the viewer itself. Only a post or collection that visitors do not see is there for those who do,
 * and not for caches.
 */
export function servePage(
  services: Pick<Services, 'config' | 'db' | 'engines' | 'now' | 'setup' | 'plannedChanges' | 'readOptions'>,
  client: ClientBuild,
  contextOf: RequestContextOf,
) {
  const { config, db, now, plannedChanges, readOptions } = services
  const textAt = (page: PageName, origin: string | null, rules: string | null): TextPage | null => {
    if (page === 'rules') return rules === null ? null : renderMarkdown(rules, 'Rules')
    return page === 'reference'
      ? renderMarkdown(restReference.replaceAll('http://localhost:3000', origin ?? '$&'), 'REST API')
      : null
  }
  const invitationAt = async (path: string) => {
    const token = matchPath(pagePaths.invitation, path)
    return token === null || config.auth.kind !== 'local' ? null : describeInvitation(services, token)
  }
  /** Lists fields one by one, as the configuration contains secrets. */
  function siteSettings(
    { signUp, dailyImageLimit, unsharedImageDays }: SiteOptions,
    { name, contact, logo, welcome, examples, rules }: SiteAppearance & Pick<SiteSettings, 'examples'>,
  ): SiteSettings {
    const engines = services.engines.all
    return {
      name,
      logo,
      welcome,
      examples,
      auth: signInSettings(signUp),
      contact,
      engine: services.engines.default.kind,
      engines: engines.length > 1 ? engines.map(({ id, label }) => ({ id, label })) : [],
      kinds: [...new Set(engines.map(({ kind }) => kind))],
      dailyImageLimit,
      unsharedImageDays,
      hasRules: rules !== null,
      languages: languageOptions,
      hasServiceWorker: config.serviceWorker && client.serviceWorker !== null,
    }
  }

  function signInSettings(signUp: SiteOptions['signUp']): SignInSettings {
    const { auth, mail } = config
    if (auth.kind === 'clerk') return { kind: 'clerk', publishableKey: auth.publishableKey }
    return {
      kind: 'local',
      signUp,
      hasPasswords: auth.localSignIn,
      provider: auth.provider && { name: auth.provider.name },
      passkeyDomain: relyingPartyOf(config)?.id ?? null,
      hasMail: mail !== null,
    }
  }

  return async (c: Context): Promise<Response> => {
    const { search } = new URL(c.req.url)
    const { path } = c.req
    if (pageAt(path) === 'notFound' && !isForPage(c)) throw new AppError('not_found')
    const authorId = matchPath(pagePaths.author, path)
    const collectionId = matchPath(pagePaths.collection, path)
    const shownCollection = collectionId ?? matchPath(pagePaths.wall, path)
    const hasList = path === pagePaths.gallery || authorId !== null || collectionId !== null
    const view = c.req.query(viewCookie)
    if (view !== undefined && hasList) {
      // Without scripts, which set it by themselves.
      setCookie(c, viewCookie, view === 'shapes' ? view : 'squares', {
        path: '/',
        maxAge: yearSeconds,
        sameSite: 'Lax',
      })
      return c.redirect(listPath(listAddressIn(path, search)), 303)
    }
    const context = contextOf(c)
    const caller = createCaller(anonymous(context))
    const postId = matchPath(pagePaths.post, path)
    const { language } = languageOf(c)
    const origin = context.siteOrigin()
    const options = await readOptions(db)
    const appearance = await readAppearance(services, language)
    const announcements = await shownAnnouncements(services, options)
    for (const { endsAt } of announcements) if (endsAt !== null) plannedChanges.add(Date.parse(endsAt))
    let reader = caller
    const readShown = async () => ({
      collection:
        shownCollection === null
          ? null
          : await nullIfNotFound(reader.collections.get({ id: shownCollection })),
      post: postId === null ? null : await nullIfNotFound(readPost(reader, postId)),
    })
    let { collection, post } = await readShown()
    const isPublished = (shownCollection ?? postId) === null || collection !== null || post !== null
    const own = isPublished ? null : await callerOfViewer(context)
    if (own) {
      reader = own
      ;({ collection, post } = await readShown())
    }
    const isListed = hasList && (collectionId === null || collection !== null)
    const data: PageData = {
      language,
      view: viewOf(c),
      site: siteSettings(options, {
        ...appearance,
        examples: appearance.examples ?? examplePrompts.map((one) => i18nOf(language)._(one)),
      }),
      gallery: isListed ? await firstPage(reader, listAddressIn(path, search)) : null,
      words: path === pagePaths.gallery ? await frequentWords(caller) : null,
      author: authorId === null ? null : await nullIfNotFound(caller.posts.author({ authorId })),
      collections: path === pagePaths.collections ? await collectionPage(caller, search) : null,
      collection,
      theme: await readTheme({ db, now, plannedChanges }),
      post,
      invitation: await invitationAt(path),
      setup: pageAt(path) === 'setup' && (await services.setup.isOpen()) ? setupFacts(config) : null,
      setupLine: path === pagePaths.gallery && (await services.setup.isOpen()) ? setupLine(language) : null,
      announcements,
      text: textAt(pageAt(path), origin, appearance.rules),
    }
    const page = render({ path, search }, data)
    const isPublic = page.status === 200 && data.invitation === null && data.setup === null
    const isPrivate = own !== null && (collection ?? post) !== null
    c.header('Cache-Control', isPrivate ? privatePage : isPublic ? 'no-cache' : 'no-store')
    c.header('Vary', languageHeaders)
    // Also for the service worker.
    c.header('Content-Language', language)
    if (isUnindexed(page, data)) c.header('X-Robots-Tag', 'noindex')
    return c.html(
      document({
        ...page,
        head: headTags(page, data, origin),
        accent: appearance.accent,
        data,
        files: filesOf(client, path, data),
        fonts: client.fontsOf(language),
      }),
      page.status,
    )
  }
}

function setupFacts({ fixedAppearance, fixedOptions, enginesVariable }: Config): PageData['setup'] {
  return { isNameFixed: 'name' in fixedAppearance, isSignUpFixed: 'signUp' in fixedOptions, enginesVariable }
}

function setupLine(language: string): string {
  const i18n = i18nOf(language)
  const [text, link] = [i18n._(msg`This site has no administrator yet.`), i18n._(msg`Set it up`)]
  // Catalogs have no HTML.
  return `${text} <a href="${pagePaths.setup}">${link}</a>`
}

function filesOf(client: ClientBuild, path: string, { language, announcements }: PageData): PageFiles {
  const page = pageAt(path)
  const isLazy = page !== 'gallery'
  const parts = [
    ...messageSources(language, isLazy && hasOtherMessages(page)),
    announcements.length > 0 && announcementsSource,
    ...(isLazy ? [pagesSource, pageSource(page)] : []),
  ]
  return client.filesOf(parts.filter((part) => typeof part === 'string'))
}

async function firstPage(caller: Caller, address: ListAddress): Promise<PageData['gallery']> {
  const { cursor } = address
  // The client repeats a request with an invalid term or cursor, and shows the error.
  const list = await nullIfNotFound(caller.posts.list({ ...listInput(address), cursor, limit: pageSize }))
  return list && { ...address, firstPage: list }
}

async function frequentWords(caller: Caller): Promise<readonly string[]> {
  const { words } = await caller.posts.words()
  return words.map(({ word }) => word)
}

async function collectionPage(caller: Caller, query: string): Promise<PageData['collections']> {
  const parameters = new URLSearchParams(query)
  const search = parameters.get('q')?.trim() ?? ''
  const cursor = parameters.get('cursor')
  // The client repeats a request with an invalid term or cursor, and shows the error.
  const page = await nullIfNotFound(caller.collections.list({ search, cursor, limit: pageSize }))
  return page && { ...page, search, cursor }
}

async function readPost(caller: Caller, id: string): Promise<PageData['post']> {
  const details = await caller.posts.get({ id })
  return { details, ...(await readRelatedPosts(caller.posts, details)) }
}

/** Calls procedures as the viewer, for what visitors do not see. Null for visitors, and while sessions cannot be checked. */
async function callerOfViewer(context: RequestContext): Promise<Caller | null> {
  return (await context.viewer().catch(() => null)) && createCaller(context)
}

/** Resolves to null if there is nothing to show at a path. */
async function nullIfNotFound<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result
  } catch (error) {
    const { reason } = describeError(error)
    if (reason === 'not_found' || reason === 'bad_input') return null
    throw error
  }
}

interface Document extends Pick<RenderedPage, 'html' | 'title' | 'description'> {
  readonly head: ReturnType<typeof headTags>
  readonly accent: string | null
  readonly data: PageData
  readonly files: PageFiles
  readonly fonts: readonly string[]
}

function document({ html: body, title, description, head, accent, data, files, fonts }: Document) {
  const json = JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
  return html`<!doctype html>
    <html lang="${data.language}" dir="${directionOf(data.language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <title>${title}</title>
        <meta name="description" content="${description}" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="${data.site.logo ?? '/favicon.svg'}" />
        ${head} ${inlineScript(themeBootScript)}
        ${data.announcements.length > 0 && inlineScript(dismissedScript)}
        ${inlineScript(loadingScript, `data-when="${whenToLoad(data)}" data-files="${files.scripts.join(' ')}"`)}
        ${fonts.map(fontPreload)}
        ${[...files.styles, ...(accent === null ? [] : [accentPath(accent)])].map(
          (href) => html`<link rel="stylesheet" href="${href}" />`,
        )}
      </head>
      <body>
        <div id="root">${raw(body)}</div>
        ${inlineScript(json, 'type="application/json" id="page-data"')}
      </body>
    </html> `
}

/** When the page loads its scripts. Clerk knows its users only by scripts. @see loadingScript */
function whenToLoad({ gallery, post, site }: PageData): 'now' | 'painted' | 'used' {
  const hasImages = post !== null || (gallery !== null && gallery.firstPage.posts.length > 0)
  if (!hasImages) return 'now'
  return site.auth.kind === 'local' ? 'used' : 'painted'
}
