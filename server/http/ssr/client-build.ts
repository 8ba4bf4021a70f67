import { readFileSync } from 'node:fs'
import path from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import type { MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { languages } from '../../../src/i18n/messages.ts'
import { serviceWorkerPath } from '../../../shared/service-worker.ts'
import { announcementsSource } from '../../../src/announcements.tsx'
import { pageSources } from '../../../src/page-sources.ts'

/** URLs that a page loads: its entry module, the modules that this imports, and style sheets. */
export interface PageFiles {
  readonly script: string
  readonly imports: readonly string[]
  readonly styles: readonly string[]
}

/** The built client: its folder, and the files of the site's pages. */
export interface ClientBuild extends PageFiles {
  readonly directory: string
  /**
   * Modules and style sheets of the pages that are not in the entry, and of announcements, besides those of the entry, by
   * their source.
   */
  readonly lazyPages: Readonly<Record<string, Pick<PageFiles, 'imports' | 'styles'>>>
  /** Modules of the messages by language, besides those of the entry. */
  readonly messages: Readonly<Record<string, readonly string[]>>
  /** Source of the service worker, and the files that it caches; null in development. */
  readonly serviceWorker: { readonly source: string; readonly files: readonly string[] } | null
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
  const site = filesOf(manifest, 'src/main.tsx')
  const isNew = (file: string) => ![site.script, ...site.imports, ...site.styles].includes(file)
  const lazyParts = [...Object.values(pageSources), announcementsSource]
  const pages = lazyParts.map((source) => {
    const { script, imports, styles } = filesOf(manifest, source)
    return [source, { imports: [script, ...imports].filter(isNew), styles: styles.filter(isNew) }] as const
  })
  const messages = languages.map((language) => {
    const { script, imports } = filesOf(manifest, `src/i18n/locales/${language}.po`)
    return [language, [script, ...imports].filter(isNew)] as const
  })
  const shell = [site, ...pages.map(([, page]) => page)]
  const files = shell.flatMap(({ imports, styles }) => imports.concat(styles))
  return {
    directory,
    ...site,
    messages: Object.fromEntries(messages),
    lazyPages: Object.fromEntries(pages),
    serviceWorker: {
      source: readFileSync(path.join(directory, serviceWorkerPath), 'utf8'),
      files: [...new Set([site.script, ...files])],
    },
  }
}

function filesOf(manifest: z.infer<typeof manifestSchema>, entry: string): PageFiles {
  const chunks = [...new Set(importedBy(entry))]
  function importedBy(name: string): string[] {
    return [name, ...(manifest[name]?.imports ?? []).flatMap(importedBy)]
  }
  const url = (file: string) => `/${file}`
  const files = chunks.flatMap((name) => manifest[name]?.file ?? []).map(url)
  const [script, ...imports] = files
  if (!script) throw new Error(`The client build has no ${entry}.`)
  return { script, imports, styles: chunks.flatMap((name) => manifest[name]?.css ?? []).map(url) }
}

/** @param options.immutable true for files with a content hash in their name */
export function serveClientFiles(
  client: ClientBuild,
  { immutable }: { immutable: boolean },
): MiddlewareHandler {
  return serveStatic({
    root: client.directory,
    // The build writes .br and .gz files next to those that they make smaller.
    precompressed: true,
    onFound: (_path, c) => {
      c.header('Cache-Control', immutable ? 'public, max-age=31536000, immutable' : 'public, max-age=3600')
      c.header('X-Content-Type-Options', 'nosniff')
      c.header('Vary', 'Accept-Encoding')
    },
  })
}
