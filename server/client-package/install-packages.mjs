import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, copyFileSync } from 'node:fs'
import path from 'node:path'
import { runNpm } from '../launch/npm.mjs'

const modules = path.join(import.meta.dirname, 'node_modules')

/** Path of the TypeScript compiler of this project, the oldest one that the package supports. */
export const compiler = path.join(modules, 'typescript/lib/tsc.js')

/**
 * Installs the packages of the lock file unless they are installed. Several processes may do this at a time: each installs
 * them in a folder of its own, and one of them moves it into place.
 */
export function installPackages() {
  if (isInstalled()) return
  const work = mkdtempSync(path.join(import.meta.dirname, 'node_modules-'))
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
      copyFileSync(path.join(import.meta.dirname, file), path.join(work, file))
    }
    runNpm(['ci', '--ignore-scripts', '--prefer-offline'], work)
    rmSync(modules, { recursive: true, force: true })
    renameSync(path.join(work, 'node_modules'), modules)
  } catch (error) {
    // Another process may have been faster.
    if (!isInstalled()) throw error
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Checks whether each package of the lock file is installed in its version. */
function isInstalled() {
  const { packages } = JSON.parse(readFileSync(path.join(import.meta.dirname, 'package-lock.json'), 'utf8'))
  return Object.entries(packages)
    .filter(([folder]) => folder !== '')
    .every(([folder, { version }]) => {
      const manifest = path.join(import.meta.dirname, folder, 'package.json')
      return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version
    })
}
