import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { msg } from '@lingui/core/macro'
import type { Context } from 'hono'
import { html, raw } from 'hono/html'
import { directionOf } from '../../../shared/languages.ts'
import { pagePaths } from '../../../shared/routes.ts'
import { sharedImage, type WorkerBuild } from '../../../shared/service-worker.ts'
import { languages } from '../../../src/i18n/messages.ts'
import { i18nOf, renderOffline } from '../../../src/render.tsx'
import { themeBootScript } from '../../../src/theme/boot-script.ts'
import { pageSource } from '../../../src/pages.tsx'
import { offlineScript } from '../../../src/offline-page.tsx'
import { readAppearance, readAppearanceSettings } from '../../site/appearance.ts'
import type { Services } from '../../trpc/context.ts'
import { languageHeaders, languageOf } from '../language.ts'
import { fontPreload, type ClientBuild } from '../ssr/client-build.ts'
import { contentSecurityPolicy, hashOf, inlineScript } from '../middleware/security-headers.ts'

type SiteServices = Pick<Services, 'config' | 'db'>

export const manifestPath = '/manifest.webmanifest'

/** Backgrounds of pages, `--paper`, for the parts of the browser around them. */
export const themeColors = { light: '#fcf9f4', dark: '#17110e' }

const icons = [
  { src: '/icon-192.png', sizes: '192x192', type: 'image/png' },
  { src: '/icon-512.png', sizes: '512x512', type: 'image/png' },
  { src: '/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
  { src: '/icon-monochrome-512.png', sizes: '512x512', type: 'image/png', purpose: 'monochrome' },
]

/** Takes one image from the share menu of the device. */
const shareTarget = {
  action: sharedImage.path,
  method: 'POST',
  enctype: 'multipart/form-data',
  params: { files: [{ name: sharedImage.field, accept: ['image/jpeg', 'image/png', 'image/webp'] }] },
}

/** Serves the web app manifest, with which browsers install the site. @see https://www.w3.org/TR/appmanifest/ */
export function serveManifest(services: SiteServices) {
  const { serviceWorker } = services.config
  return async (c: Context): Promise<Response> => {
    const { language } = languageOf(c)
    const { name, logo } = await readAppearance(services, language)
    const i18n = i18nOf(language)
    return c.json(
      {
        name,
        id: pagePaths.gallery,
        start_url: pagePaths.gallery,
        scope: pagePaths.gallery,
        display: 'standalone',
        lang: language,
        dir: directionOf(language),
        theme_color: themeColors.light,
        background_color: themeColors.light,
        icons: logo === null ? icons : [{ src: logo, sizes: 'any', type: 'image/png' }],
        shortcuts: [
          { name: i18n._(msg`Create`), url: pagePaths.create },
          { name: i18n._(msg`Your images`), url: pagePaths.yourImages },
        ],
        ...(serviceWorker && { share_target: shareTarget }),
      },
      200,
      {
        'Content-Type': 'application/manifest+json',
        'Cache-Control': 'private, no-cache',
        Vary: languageHeaders,
      },
    )
  }
}

/** Replaces the service worker that a browser has, and removes it with its caches. */
const removal = `self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(remove()))
async function remove() {
  const names = await caches.keys()
  await Promise.all([...names.map((name) => caches.delete(name)), self.registration.unregister()])
}
`

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

/** Serves the service worker; the one that removes itself if it is off. Its build changes with all that it caches, so that browsers update it. */
export function serveServiceWorker(services: SiteServices, client: ClientBuild, offlinePage: OfflinePage) {
  const worker = services.config.serviceWorker ? client.serviceWorker : null
  const { policy, render } = offlinePage
  // Once, as the pages are long.
  const content = worker && digest([policy, languages.map((language) => render('', language)), worker.files])
  return async (c: Context): Promise<Response> => {
    let source = removal
    if (worker) {
      const { name } = await readAppearanceSettings(services)
      const build: WorkerBuild = { id: digest([name, content]).slice(0, 16), files: worker.files }
      source = `self.build=${JSON.stringify(build)};${worker.source}`
    }
    const headers = { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-cache' }
    return c.body(source, 200, headers)
  }
}

/** Creates the page that the service worker shows without a connection. It loads no other file but fonts that are cached. */
export function createOfflinePage(client: ClientBuild) {
  const css = client
    .filesOf([pageSource('notFound')])
    .styles.map((url) => readFileSync(path.join(client.directory, url), 'utf8'))
    .join('\n')
  const policy = contentSecurityPolicy({
    'script-src': [themeBootScript, offlineScript].map(hashOf),
    'style-src': [hashOf(css)],
    'img-src': ['data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'"],
    'form-action': ["'none'"],
  })
  const render = (siteName: string, language: string) =>
    html`<!doctype html>
      <html lang="${language}" dir="${directionOf(language)}">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>${siteName}</title>
          <meta name="color-scheme" content="light dark" />
          <meta name="robots" content="noindex" />
          ${client.fontsOf(language).map(fontPreload)} ${inlineScript(themeBootScript)}
          ${raw(`<style>${css}</style>`)}
        </head>
        <body>
          ${raw(renderOffline(siteName, language))} ${inlineScript(offlineScript)}
        </body>
      </html> `
  return { policy, render }
}

type OfflinePage = ReturnType<typeof createOfflinePage>

export function serveOfflinePage(services: SiteServices, { policy, render }: OfflinePage) {
  return async (c: Context) => {
    const { language } = languageOf(c)
    const { name } = await readAppearance(services, language)
    return c.html(render(name, language), 200, {
      'Cache-Control': 'no-store',
      'Content-Language': language,
      'Content-Security-Policy': policy,
    })
  }
}
