/**
 * Runs the benchmarks, all or those named: `npm run bench -- [NAME …] [--quick]`. Each prints its figures as
 * ratios to a limit measured in the same run, as machines differ and are never quiet.
 */
import path from 'node:path'
import { createServer, runnerImport } from 'vite'

const benchmarks = 'contact-sheet nouns generation first-view lighthouse search bodies'.split(' ')
const isQuick = process.argv.includes('--quick')
const named = process.argv.slice(2).filter((argument) => argument !== '--quick')
const unknown = named.find((name) => !benchmarks.includes(name))
if (unknown !== undefined) {
  process.stderr.write(`There is no benchmark "${unknown}"; there are: ${benchmarks.join(', ')}.\n`)
  process.exitCode = 1
} else {
  // It imports TypeScript, which Node 20 cannot read.
  /** @type {{ module: typeof import('../server/launch/messages.d.mts') }} */
  const { module: build } = await runnerImport(
    path.join(import.meta.dirname, '../server/launch/messages.mjs'),
  )
  // Stays open, as benchmarks load modules while they run.
  const vite = await createServer({
    configFile: false,
    logLevel: 'error',
    mode: 'production',
    // Node 20 has no `using`.
    oxc: { target: 'es2022' },
    // Not what is measured.
    define: { RANGOLI_VERSION: '"bench"' },
    plugins: [build.messages()],
    appType: 'custom',
    server: { middlewareMode: true, ws: false, watch: null },
  })
  for (const name of named.length > 0 ? named : benchmarks) {
    const module = await vite.ssrLoadModule(path.join(import.meta.dirname, `${name}.ts`))
    await module['run']((/** @type {string} */ line) => process.stdout.write(`${line}\n`), { isQuick })
  }
  await vite.close()
}
