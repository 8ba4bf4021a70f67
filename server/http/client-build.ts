import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

/** The built client: where its files lie and what a page must load of them. */
export interface ClientBuild {
  readonly directory: string
  /** Addresses of the module that starts the page, of what it imports, and of its style sheets. */
  readonly script: string
  readonly imports: readonly string[]
  readonly styles: readonly string[]
}

const entry = 'src/main.tsx'

const manifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    css: z.array(z.string()).default([]),
    imports: z.array(z.string()).default([]),
  }),
)

/** Reads Vite's manifest of a build. */
export function readClientBuild(directory: string): ClientBuild {
  const manifest = manifestSchema.parse(
    JSON.parse(readFileSync(path.join(directory, '.vite/manifest.json'), 'utf8')),
  )
  const chunks = [...new Set(importedBy(entry))]
  function importedBy(name: string): string[] {
    return [name, ...(manifest[name]?.imports ?? []).flatMap(importedBy)]
  }
  const address = (file: string) => `/${file}`
  const files = chunks.flatMap((name) => manifest[name]?.file ?? []).map(address)
  const [script, ...imports] = files
  if (!script) throw new Error(`The client's build in ${directory} has no ${entry}.`)
  return {
    directory,
    script,
    imports,
    styles: chunks.flatMap((name) => manifest[name]?.css ?? []).map(address),
  }
}
