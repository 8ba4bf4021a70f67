import { msg } from '@lingui/core/macro'
import type { Context } from 'hono'
import { directionOf } from '../../../shared/languages.ts'
import { pagePaths } from '../../../shared/routes.ts'
import { sharedImage } from '../../../shared/service-worker.ts'
import { i18nOf } from '../../../src/render.tsx'
import type { Config } from '../../config/config.ts'
import { languageHeaders, languageOf } from '../language.ts'

/** URL of the web app manifest. */
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
export function serveManifest({ siteName, serviceWorker }: Config) {
  return (c: Context): Response => {
    const { language } = languageOf(c)
    const i18n = i18nOf(language)
    return c.json(
      {
        name: siteName,
        id: pagePaths.gallery,
        start_url: pagePaths.gallery,
        scope: pagePaths.gallery,
        display: 'standalone',
        lang: language,
        dir: directionOf(language),
        theme_color: themeColors.light,
        background_color: themeColors.light,
        icons,
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
