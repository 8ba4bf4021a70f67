import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { serverExternals } from './externals.mjs'

/** Of better-sqlite3, what it was made of and with; that is four fifths of it. */
const makings = /\/better-sqlite3\/(?:deps|src|build\/(?!Release$|Release\/better_sqlite3\.node$))/

/** Fetches better-sqlite3's native part when it is installed. */
const forInstalling = new Set(['prebuild-install'])

/**
 * Puts everything that a built server needs to run into one folder: the build, and the packages that are not bundled into
 * it with those that they need themselves. Then `node server/main.js` runs there, with nothing else installed.
 *
 * @param {string} root the project's folder
 * @param {string} build the folder of a build
 * @param {string} target where to; made where missing
 */
export function pack(root, build, target) {
  mkdirSync(target, { recursive: true })
  for (const part of ['client', 'server'])
    cpSync(path.join(build, part), path.join(target, part), { recursive: true })
  for (const folder of packagesFor(root)) {
    cpSync(folder, path.join(target, path.relative(root, folder)), {
      recursive: true,
      filter: (file) => !makings.test(file) && path.relative(folder, file) !== 'node_modules',
    })
  }
  const { name, version, license, type } = readPackage(root)
  writeFileSync(
    path.join(target, 'package.json'),
    `${JSON.stringify({ name, version, license, type }, null, 2)}\n`,
  )
}

/**
 * The folders of the packages that are not bundled, and of all that they need; one that a lock names as optional and
 * that is not installed is of another platform.
 *
 * @param {string} root
 */
function packagesFor(root) {
  /** @type {Set<string>} */
  const found = new Set()
  /** @type {(name: string, from: string, isOptional: boolean) => void} */
  const add = (name, from, isOptional) => {
    const folder = folderOf(name, from, root)
    if (!folder && !isOptional) throw new Error(`The package ${name} is not installed; run npm ci.`)
    if (!folder || found.has(folder)) return
    found.add(folder)
    const { dependencies = {}, optionalDependencies = {} } = readPackage(folder)
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (!forInstalling.has(needed)) add(needed, folder, needed in optionalDependencies)
    }
  }
  for (const name of serverExternals) add(name, root, false)
  return found
}

/**
 * Where Node finds a package, from the folder of whoever imports it upwards.
 *
 * @param {string} name
 * @param {string} from
 * @param {string} root
 * @returns {string | null}
 */
function folderOf(name, from, root) {
  const folder = path.join(from, 'node_modules', name)
  if (existsSync(path.join(folder, 'package.json'))) return folder
  return from === root ? null : folderOf(name, path.dirname(from), root)
}

/**
 * @param {string} folder
 * @returns {{ name: string, version: string, license: string, type: string, dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }}
 */
function readPackage(folder) {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
}
