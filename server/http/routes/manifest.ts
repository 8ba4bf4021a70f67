import type { Context } from 'hono'
import { pagePaths } from '../../../shared/routes.ts'
import type { Config } from '../../config/config.ts'

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

/** Serves the web app manifest, with which browsers install the site. @see https://www.w3.org/TR/appmanifest/ */
export function serveManifest({ siteName }: Config) {
  return (c: Context): Response =>
    c.json(
      {
        name: siteName,
        id: pagePaths.gallery,
        start_url: pagePaths.gallery,
        scope: pagePaths.gallery,
        display: 'standalone',
        lang: 'en',
        dir: 'ltr',
        theme_color: themeColors.light,
        background_color: themeColors.light,
        icons,
        shortcuts: [
          { name: 'Create', url: pagePaths.create },
          { name: 'Your images', url: pagePaths.yourImages },
        ],
      },
      200,
      { 'Content-Type': 'application/manifest+json', 'Cache-Control': 'no-cache' },
    )
}
