import type { Context } from 'hono'
import { secureHeaders } from 'hono/secure-headers'
import { themeBootScript } from '../../src/theme/boot-script.ts'
import type { Config } from '../config/config.ts'
import { siteOrigin } from '../config/site-origin.ts'
import { openApiDocument } from '../rest/reference/openapi.ts'
import type { PageFiles } from './client-build.ts'
import { commonElsewhere, hashOf } from './page-headers.ts'
import { escapeHtml } from './page.ts'

/** Serves the description of the REST door, in OpenAPI, with the addresses of this site in it. */
export function serveDescription(config: Config) {
  return (c: Context): Response =>
    c.json(openApiDocument(siteOrigin(config, c.req.raw.headers) ?? '', config.siteName))
}

/**
 * The content security policy of the reference, a page by itself: it loads its own files, asks this site, and draws
 * with style attributes and pictures in its style sheet.
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

/** Serves a page for people that shows the description, and from which they can try the calls. */
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
<title>The calls of REST — ${site}</title>
<meta name="description" content="Every REST call of ${site}, to read and to try.">
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
<p>The same for programs: <a href="/api/v1/openapi.json">openapi.json</a></p>
</header>
<div id="reference">
<noscript><p>This page is drawn by a script; the file above says the same.</p></noscript>
</div>
</body>
</html>
`
}
