import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { runNpm } from '../launch/npm.mjs'
import { digestOf } from '../launch/run-build.mjs'
import { version as ours } from '../launch/version.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const folder = 'server/client-package'
const entry = `${folder}/rangoli-client`

/** Folder of the compiler's output, by the digest of the sources. */
const builds = path.join(root, 'node_modules/.cache/rangoli-client')

const modules = path.join(import.meta.dirname, 'node_modules')

/** Path of the TypeScript compiler of this project, the oldest one that the package supports. */
const compiler = path.join(modules, 'typescript/lib/tsc.js')

/** Age after which the output of other sources is deleted, in milliseconds. */
const buildAgeMaxMs = 24 * 60 * 60 * 1_000

/** Lists of the installed packages, which change with them, while the lock files also change with the version of a release. */
const installed = ['node_modules/.package-lock.json', `${folder}/node_modules/.package-lock.json`]

/** Packages whose types the declarations may import. Other dependencies of the server must not appear in them. */
const libraries = /^@trpc\/(?:client|server)(?:\/|$)/

const importedModule = /(\bfrom |\bimport\()(['"])([^'"]+)\2/g

/** Returns npm's file name for the tarball of this version. */
export function tarballName() {
  return `rangoli-client-${ours}.tgz`
}

/**
 * Writes the files of the package `rangoli-client`: the client's JavaScript, and the declarations that its types refer to,
 * as emitted by the package's own compiler from the server's sources.
 *
 * @param {string} directory folder for the files
 */
export function writePackage(directory) {
  const emitted = build()
  mkdirSync(directory, { recursive: true })
  writeFileSync(path.join(directory, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
  copyFileSync(path.join(import.meta.dirname, 'README.md'), path.join(directory, 'README.md'))
  copyFileSync(path.join(root, 'LICENSE'), path.join(directory, 'LICENSE'))
  for (const [file, text] of scripts(emitted)) write(path.join(directory, file), text)
  for (const [file, text] of declarations(emitted)) {
    write(path.join(directory, 'types', file), text)
  }
}

/**
 * @param {string} file
 * @param {string} text
 */
function write(file, text) {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/**
 * Compiles the sources unless they have been compiled before.
 *
 * @returns {string} folder of the JavaScript and the declarations
 */
function build() {
  // Missing types would become `any`.
  if (!existsSync(path.join(root, 'node_modules/@trpc/server'))) throw new Error('Run npm ci first.')
  installPackages()
  const isSource = (/** @type {string} */ file) =>
    /\.[cm]?ts$|tsconfig\.json$|\.package-lock\.json$/.test(file)
  const output = path.join(builds, digestOf(root, ['server', 'shared', ...installed], isSource))
  if (existsSync(output)) return output
  mkdirSync(builds, { recursive: true })
  const unfinished = mkdtempSync(path.join(builds, 'unfinished-'))
  try {
    compile(unfinished)
    renameSync(unfinished, output)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process may have been faster.
    if (!existsSync(output)) throw error
  }
  deleteOldBuilds(output)
  return output
}

/**
 * Installs the packages of the lock file unless they are installed. Several processes may do this at a time: each installs
 * them in a folder of its own, and one of them moves it into place.
 */
function installPackages() {
  if (isInstalled()) return
  const work = mkdtempSync(path.join(import.meta.dirname, 'node_modules-'))
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc']) {
      copyFileSync(path.join(import.meta.dirname, file), path.join(work, file))
    }
    runNpm(['ci', '--ignore-scripts', '--prefer-offline'], work)
    // Only other versions: what another process has moved there meanwhile is in use, and the move fails.
    if (!isInstalled()) rmSync(modules, { recursive: true, force: true })
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
    .filter(([name]) => name !== '')
    .every(([name, { version }]) => {
      const file = path.join(import.meta.dirname, name, 'package.json')
      return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version
    })
}

/** @param {string} output folder for the JavaScript and the declarations */
function compile(output) {
  const { status, stdout } = spawnSync(
    process.execPath,
    [compiler, '-p', import.meta.dirname, '--outDir', output],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`The client package can't be compiled:\n${stdout}`)
}

/** @param {string} current */
function deleteOldBuilds(current) {
  for (const name of readdirSync(builds)) {
    const other = path.join(builds, name)
    if (other === current) continue
    const modifiedAt = statSync(other, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - modifiedAt > buildAgeMaxMs) rmSync(other, { recursive: true, force: true })
  }
}

/** Returns the published package.json: that of this project without what only its development needs. */
function manifest() {
  const project = JSON.parse(readFileSync(path.join(import.meta.dirname, 'package.json'), 'utf8'))
  const { name, scripts: _scripts, devDependencies: _devDependencies, ...published } = project
  return { name, version: ours, ...published }
}

/**
 * Collects the modules of the entry by their path in the package: those of its folder at the top, and those of `shared/`.
 *
 * @param {string} emitted folder of the JavaScript
 * @returns {Map<string, string>}
 */
function scripts(emitted) {
  /** @type {Map<string, string>} */
  const found = new Map()
  const pending = [`${entry}.js`]
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    const target = pathInPackage(file)
    if (found.has(target)) continue
    const [directory, targetDirectory] = [path.posix.dirname(file), path.posix.dirname(target)]
    const text = readFileSync(path.join(emitted, file), 'utf8')
    found.set(
      target,
      text.replaceAll(importedModule, (all, keyword, quote, /** @type {string} */ name) => {
        if (!name.startsWith('.')) return all
        const imported = path.posix.join(directory, name)
        pending.push(imported)
        return `${keyword}${quote}./${path.posix.relative(targetDirectory, pathInPackage(imported))}${quote}`
      }),
    )
  }
  return found
}

/** @param {string} file path of a module */
function pathInPackage(file) {
  if (file.startsWith('shared/')) return file
  if (path.posix.dirname(file) === folder) return path.posix.basename(file)
  throw new Error(`The client package imports ${file}, which is not part of it.`)
}

/**
 * Collects the declarations of the entry and those they import, by path. Import specifiers get the extension `.js`, which
 * every module resolution supports.
 *
 * @param {string} emitted folder of the declarations
 * @returns {Map<string, string>}
 */
function declarations(emitted) {
  /** @type {Map<string, string>} */
  const found = new Map()
  const pending = [`${entry}.d.ts`]
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    if (found.has(file)) continue
    const directory = path.posix.dirname(file)
    const text = readFileSync(path.join(emitted, file), 'utf8')
    found.set(
      file,
      text.replaceAll(importedModule, (_all, keyword, quote, /** @type {string} */ name) => {
        if (name.startsWith('.')) pending.push(path.posix.join(directory, name.replace(/\.ts$/, '.d.ts')))
        else if (!libraries.test(name))
          throw new Error(`The type of the router refers to ${name}, in ${file}.`)
        return `${keyword}${quote}${name.replace(/^(\..*)\.ts$/, '$1.js')}${quote}`
      }),
    )
  }
  return found
}

/**
 * Packs a package as npm would publish it. The same files result in the same bytes.
 *
 * @param {string} source folder of package.json
 * @param {string} directory folder for the tarball
 * @returns {string} path of the tarball
 */
export function packFolder(source, directory) {
  const args = ['pack', '--json', '--ignore-scripts', '--offline', '--pack-destination', directory]
  const [{ filename }] = JSON.parse(runNpm(args, source))
  return path.join(directory, filename)
}
