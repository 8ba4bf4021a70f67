import type { Context } from 'hono'
import { html } from 'hono/html'
import { secureHeaders } from 'hono/secure-headers'
import { themeBootScript } from '../../../src/theme/boot-script.ts'
import type { Config } from '../../config/config.ts'
import { siteOrigin } from '../../config/site-origin.ts'
import { openApiDocument } from '../../rest/openapi.ts'
import type { PageFiles } from '../ssr/client-build.ts'
import { cspOnly, hashOf } from '../ssr/page-headers.ts'
import { inlineScript } from '../ssr/page.ts'

/** Serves the OpenAPI description of REST, with the URLs of this site. */
export function serveDescription(config: Config) {
  return (c: Context): Response =>
    c.json(openApiDocument(siteOrigin(config, c.req.raw.headers), config.siteName))
}

/** Content security policy of the reference. Swagger UI uses style attributes, and data URLs in its style sheet. */
export const referenceHeaders = secureHeaders({
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'", hashOf(themeBootScript)],
    styleSrc: ["'self'"],
    styleSrcAttr: ["'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    connectSrc: ["'self'"],
    formAction: ["'none'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
  ...cspOnly,
})

/** Serves a page that shows the description and can send its requests. */
export function serveReference({ siteName }: Config, files: PageFiles) {
  const page = document(siteName, files)
  return (c: Context) => c.html(page)
}

function document(siteName: string, { script, imports, styles }: PageFiles) {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>REST API — ${siteName}</title>
        <meta name="description" content="The REST API of ${siteName}, to read and to try." />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        ${inlineScript(themeBootScript)}
        ${imports.map((href) => html`<link rel="modulepreload" href="${href}" />`)}
        <script type="module" src="${script}"></script>
        ${styles.map((href) => html`<link rel="stylesheet" href="${href}" />`)}
      </head>
      <body>
        <header>
          <p><a href="/">${siteName}</a></p>
          <p>For programs: <a href="/api/v1/openapi.json">openapi.json</a></p>
        </header>
        <div id="reference">
          <noscript><p>This page needs JavaScript; the file above has the same content.</p></noscript>
        </div>
      </body>
    </html> `
}
