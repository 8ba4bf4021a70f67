import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

/** What one kind of page loads: addresses of the module that starts it, of what that imports, and of its style sheets. */
export interface PageFiles {
  readonly script: string
  readonly imports: readonly string[]
  readonly styles: readonly string[]
}

/** The built client: where its files lie, and what of them the site's pages load, and the reference of REST. */
export interface ClientBuild extends PageFiles {
  readonly directory: string
  readonly reference: PageFiles
}

const entries = { site: 'src/main.tsx', reference: 'src/features/reference/reference.ts' }

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
  return { directory, ...filesOf(manifest, entries.site), reference: filesOf(manifest, entries.reference) }
}

function filesOf(manifest: z.infer<typeof manifestSchema>, entry: string): PageFiles {
  const chunks = [...new Set(importedBy(entry))]
  function importedBy(name: string): string[] {
    return [name, ...(manifest[name]?.imports ?? []).flatMap(importedBy)]
  }
  const address = (file: string) => `/${file}`
  const files = chunks.flatMap((name) => manifest[name]?.file ?? []).map(address)
  const [script, ...imports] = files
  if (!script) throw new Error(`The client's build has no ${entry}.`)
  return { script, imports, styles: chunks.flatMap((name) => manifest[name]?.css ?? []).map(address) }
}
