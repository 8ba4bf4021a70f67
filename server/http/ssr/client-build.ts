import { readFileSync } from 'node:fs'
import path from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import type { MiddlewareHandler } from 'hono'
import { html } from 'hono/html'
import { z } from 'zod'
import { languages } from '../../../src/i18n/messages.ts'
import { serviceWorkerPath } from '../../../shared/service-worker.ts'
import { announcementsSource } from '../../../src/announcements.tsx'
import { pageSources } from '../../../src/pages.tsx'

/** URLs that a page loads: modules, each after those that it imports, and style sheets. */
export interface PageFiles {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

export interface ClientBuild {
  readonly directory: string
  /** Returns what modules of the repository and the modules that they import were built to, with the entry and its style sheets. */
  filesOf(sources: readonly string[]): PageFiles
  /** Returns the URLs of the display face for the script of a language, and for names and spaces in Latin; none in development. */
  fontsOf(language: string): readonly string[]
  /** Source of the service worker, and the files that it caches; null in development. */
  readonly serviceWorker: { readonly source: string; readonly files: readonly string[] } | null
}

const entry = 'src/main.tsx'

/** Ends of the paths of the display face's files by script (ISO 15924), as in src/theme/fonts.css. */
export const fontSources = {
  Latn: '@fontsource/baloo-2/files/baloo-2-latin-700-normal.woff2',
  Deva: '@fontsource/baloo-2/files/baloo-2-devanagari-700-normal.woff2',
  Arab: '@fontsource/baloo-bhaijaan-2/files/baloo-bhaijaan-2-arabic-700-normal.woff2',
}

const manifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    css: z.array(z.string()).default([]),
    imports: z.array(z.string()).default([]),
  }),
)

/** @see https://vite.dev/guide/backend-integration */
export function readClientBuild(directory: string): ClientBuild {
  const manifest = manifestSchema.parse(
    JSON.parse(readFileSync(path.join(directory, '.vite/manifest.json'), 'utf8')),
  )

  function chunkOf(name: string) {
    // A module that parts of several pages share is listed by the name of its chunk.
    const shared = `_${path.basename(name, path.extname(name))}-`
    const key = Object.keys(manifest).find((file) => file.startsWith(shared) && file.endsWith('.js'))
    const chunk = manifest[name] ?? (key && manifest[key])
    if (!chunk) throw new Error(`The client build has no ${name}.`)
    return chunk
  }

  function filesOf(sources: readonly string[]): PageFiles {
    const names = new Set<string>()
    function add(name: string) {
      if (names.has(name)) return
      for (const imported of chunkOf(name).imports) add(imported)
      names.add(name)
    }
    for (const source of [entry, ...sources]) add(source)
    const chunks = [...names].map(chunkOf)
    const urls = (files: readonly string[]) => [...new Set(files)].map((file) => `/${file}`)
    return { scripts: urls(chunks.map(({ file }) => file)), styles: urls(chunks.flatMap(({ css }) => css)) }
  }

  function findFonts(language: string): readonly string[] {
    const { script } = new Intl.Locale(language).maximize()
    return Object.entries(fontSources)
      .filter(([name]) => name === script || name === 'Latn')
      .map(([, source]) => {
        // Packages may be outside the repository.
        const name = Object.keys(manifest).find((file) => file.endsWith(source)) ?? source
        return `/${chunkOf(name).file}`
      })
  }

  // Fails at the start without one of them.
  filesOf(languages.flatMap((language) => messageSources(language, true)))
  const fonts = new Map(languages.map((language) => [language, findFonts(language)]))
  const shell = filesOf([...pageSources, announcementsSource])
  return {
    directory,
    filesOf,
    fontsOf: (language) => fonts.get(language) ?? [],
    serviceWorker: {
      source: readFileSync(path.join(directory, serviceWorkerPath), 'utf8'),
      files: [...shell.scripts, ...shell.styles],
    },
  }
}

/** A page's element that loads a font in time for its first paint. */
export const fontPreload = (href: string) =>
  html`<link rel="preload" href="${href}" as="font" type="font/woff2" crossorigin />`

/** Paths of the messages of a language; with those of pages that few visitors open, if asked. */
export function messageSources(language: string, hasOthers = false): string[] {
  const source = `src/i18n/locales/${language}.po`
  return hasOthers ? [source, `${source}?others.po`] : [source]
}

export function serveClientFiles(client: ClientBuild, cacheControl: string): MiddlewareHandler {
  const serve = serveStatic({
    root: client.directory,
    // The build writes .br and .gz files next to those that they make smaller.
    precompressed: true,
    onFound: (_path, c) => {
      c.header('Cache-Control', cacheControl)
      c.header('X-Content-Type-Options', 'nosniff')
      c.header('Vary', 'Accept-Encoding')
    },
  })
  return (c, next) => {
    // The library answers a range that it cannot read with 206.
    if (!/^bytes=(?:\d+-\d*|-\d+)$/.test(c.req.header('range') ?? '')) c.req.raw.headers.delete('range')
    return serve(c, next)
  }
}
