/**
 * Runs the benchmarks, all or those named: `npm run bench -- [NAME …] [--quick]`. The name of a folder stands for all in
 * it. Each prints its figures as ratios to a limit measured in the same run, as machines differ and are never quiet.
 */
import path from 'node:path'
import { runnerImport } from 'vite'

const benchmarks = [
  'generation',
  'first-view',
  'lighthouse',
  'search',
  'scrolling',
  'mixed-reads',
  'metrics',
  'bodies',
  'scale/search',
  'scale/lists',
  'scale/processes',
  'scale/import',
  'scale/default',
]
const usage = `Usage: npm run bench -- [NAME …] [--quick]

Prints figures as ratios to limits that are measured in the same run. There are: ${benchmarks.join(', ')}.`
const isQuick = process.argv.includes('--quick')
const named = process.argv.slice(2).filter((argument) => argument !== '--quick')
/** @param {string} name of a benchmark or a folder of them */
const find = (name) => benchmarks.filter((each) => each === name || each.startsWith(`${name}/`))
const unknown = named.find((name) => find(name).length === 0)
if (process.argv.includes('--help')) {
  process.stdout.write(`${usage}\n`)
} else if (unknown) {
  process.stderr.write(`There is no benchmark "${unknown}"; there are: ${benchmarks.join(', ')}.\n`)
  process.exitCode = 1
} else {
  for (const name of named.length > 0 ? named.flatMap(find) : benchmarks) {
    const file = path.join(import.meta.dirname, `${name}.ts`)
    const { module } = await runnerImport(file, { configFile: false, logLevel: 'error', mode: 'production' })
    await module.run((/** @type {string} */ line) => process.stdout.write(`${line}\n`), { isQuick })
  }
}
