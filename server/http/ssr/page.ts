import type { Context } from 'hono'
import { pageSize } from '../../../shared/limits.ts'
import type { PageData, SignInSettings, SiteSettings } from '../../../shared/page-data.ts'
import { loadingScript } from '../../../src/hydration/loading-script.ts'
import { render } from '../../../src/render.tsx'
import { themeBootScript } from '../../../src/theme/boot-script.ts'
import type { AuthConfig } from '../../config/auth-section.ts'
import type { Config } from '../../config/config.ts'
import type { Services } from '../../services.ts'
import { describeError } from '../../errors/describe-error.ts'
import { createCaller } from '../../trpc/caller.ts'
import type { ClientBuild } from './client-build.ts'
import type { RequestContextOf } from '../request-context.ts'

/**
 * Serves every page as HTML, the gallery with its first posts in it. The HTML is the same for everyone:
 * who is signed in is asked by the page itself.
 */
export function servePage(
  { config }: Pick<Services, 'config'>,
  client: ClientBuild,
  contextOf: RequestContextOf,
) {
  const site = siteSettings(config)
  return async (c: Context): Promise<Response> => {
    const { search, searchParams } = new URL(c.req.url)
    const data: PageData = {
      site,
      gallery:
        c.req.path === '/'
          ? await firstPage(
              createCaller(contextOf(c, { readsStreams: true }), c.req.raw.signal),
              searchParams,
            )
          : null,
    }
    const page = render({ path: c.req.path, query: search.slice(1) }, data)
    c.header('Cache-Control', page.status === 200 ? 'no-cache' : 'no-store')
    return c.html(document({ ...page, data, client }), page.status)
  }
}

/** Only what a browser needs, field by field: the configuration also holds secrets. */
function siteSettings(config: Config): SiteSettings {
  return {
    name: config.siteName,
    auth: signInSettings(config.auth),
    contact: config.contact,
    engine: config.engine.kind,
    dailyImageLimit: config.dailyImageLimit,
  }
}

function signInSettings(auth: AuthConfig): SignInSettings {
  switch (auth.kind) {
    case 'local':
      return { kind: 'local', signUp: auth.signUp }
    case 'clerk':
      return { kind: 'clerk', publishableKey: auth.publishableKey }
  }
}

async function firstPage(
  caller: ReturnType<typeof createCaller>,
  address: URLSearchParams,
): Promise<PageData['gallery']> {
  const search = address.get('q')?.trim() ?? ''
  const cursor = address.get('cursor')
  try {
    return { search, cursor, firstPage: await caller.posts.list({ search, cursor, limit: pageSize }) }
  } catch (error) {
    // A term or a cursor that the procedure refuses: the page asks again and shows the answer.
    if (describeError(error).reason === 'bad_input') return null
    throw error
  }
}

interface Document {
  readonly html: string
  readonly title: string
  readonly description: string
  readonly data: PageData
  readonly client: ClientBuild
}

function document({ html, title, description, data, client }: Document): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(description)}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<script>${themeBootScript}</script>
${scripts(client, hasImages(data))}
${client.styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
</head>
<body>
<div id="root">${html}</div>
<script type="application/json" id="page-data">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>
</body>
</html>
`
}

/** What loads the page's script: after the images, where there are any. */
function scripts({ script, imports }: ClientBuild, afterImages: boolean): string {
  if (afterImages) {
    return `<script data-src="${script}" data-imports="${imports.join(' ')}">${loadingScript}</script>`
  }
  return [
    `<script>${loadingScript}</script>`,
    ...imports.map((href) => `<link rel="modulepreload" href="${href}">`),
    `<script type="module" src="${script}"></script>`,
  ].join('\n')
}

function hasImages({ gallery }: PageData): boolean {
  return gallery !== null && gallery.firstPage.posts.length > 0
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
