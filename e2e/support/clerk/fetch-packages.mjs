/**
 * Fetches the packages whose scripts Clerk's servers hand to browsers, into node_modules: `node fetch-packages.mjs`. They
 * are bundles that declare 900 packages which they already contain, so they are no dependencies of ours; npm has no
 * way to install a package alone. Plain JavaScript, as it runs before the tests on the oldest Node we support.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { runNpm } from '../../../server/launch/npm.mjs'

const packages = [
  {
    name: '@clerk/clerk-js',
    version: '6.34.1',
    integrity:
      'sha512-PcM/x9lzmDU5bQ8jaJjkWYncJbAYL5hlxHG3jkO4SLG39apLqfBuFCaRw27ptIkwRCTJnY+a6Nvml3gk8G1CZA==',
  },
  {
    name: '@clerk/ui',
    version: '1.36.0',
    integrity:
      'sha512-uI96zYCh5jISLOt1mdpIPy/Y31P0kwFxjUFOxLUwFfTHFmGUcRjbqN6bbb+75tdI2Bz6ARGws3rhspDer+xIfQ==',
  },
]

const modules = path.resolve(import.meta.dirname, '../../../node_modules')

for (const wanted of packages) if (installedVersion(wanted.name) !== wanted.version) fetchPackage(wanted)

/** @param {typeof packages[number]} wanted */
function fetchPackage({ name, version, integrity }) {
  process.stdout.write(`Fetching ${name} ${version} for the tests of sign-in by Clerk …\n`)
  mkdirSync(path.join(modules, '.cache'), { recursive: true })
  const work = mkdtempSync(path.join(modules, '.cache/clerk-'))
  try {
    const args = ['pack', `${name}@${version}`, '--json', '--ignore-scripts', '--prefer-offline']
    const [{ filename }] = JSON.parse(runNpm([...args, '--pack-destination', work], modules))
    const tarball = path.join(work, filename)
    const hash = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`
    if (hash !== integrity) throw new Error(`${name} ${version} is not what it was: ${hash}`)
    execFileSync('tar', ['-xzf', tarball, '-C', work])
    const folder = path.join(modules, name)
    // Only an older version: what another process has moved there meanwhile is in use, and the move fails.
    if (installedVersion(name) !== version) rmSync(folder, { recursive: true, force: true })
    renameSync(path.join(work, 'package'), folder)
  } catch (error) {
    // Another test file may have been faster.
    if (installedVersion(name) !== version) throw error
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** @param {string} name */
function installedVersion(name) {
  const manifest = path.join(modules, name, 'package.json')
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : null
}
