import type { Context } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { themeBootScript } from '../../../src/theme/boot-script.ts'
import type { Config } from '../../config/config.ts'
import { siteOrigin } from '../../config/site-origin.ts'
import { openApiDocument } from '../../rest/openapi.ts'
import type { PageFiles } from '../ssr/client-build.ts'
import { commonElsewhere, hashOf } from '../ssr/page-headers.ts'
import { escapeHtml } from '../ssr/page.ts'

/** Serves the OpenAPI description of REST, with the URLs of this site. */
export function serveDescription(config: Config) {
  return (c: Context): Response =>
    c.json(openApiDocument(siteOrigin(config, c.req.raw.headers), config.siteName))
}

/**
 * The content security policy of the reference, a page by itself: it loads its own files, asks this site, and draws
 * with style attributes and images in its style sheet.
 */
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
  ...commonElsewhere,
})

/** Serves a page that shows the description and sends requests from it. */
export function serveReference({ siteName }: Config, files: PageFiles) {
  const html = document(escapeHtml(siteName), files)
  return (c: Context): Response => c.html(html)
}

function document(site: string, { script, imports, styles }: PageFiles): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>REST API — ${site}</title>
<meta name="description" content="The REST API of ${site}, to read and to try.">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<script>${themeBootScript}</script>
${imports.map((href) => `<link rel="modulepreload" href="${href}">`).join('\n')}
<script type="module" src="${script}"></script>
${styles.map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
</head>
<body>
<header>
<p><a href="/">${site}</a></p>
<p>For programs: <a href="/api/v1/openapi.json">openapi.json</a></p>
</header>
<div id="reference">
<noscript><p>This page needs JavaScript; the file above has the same content.</p></noscript>
</div>
</body>
</html>
`
}
