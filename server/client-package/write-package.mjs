import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const entry = 'server/client-package/rangoli-client'

/** What the declarations of a package may import of others: types of tRPC, and nothing of the server's. */
const libraries = /^@trpc\/(?:client|server)(?:\/|$)/

const importedModule = /(\bfrom |\bimport\()(['"])([^'"]+)\2/g

/** What npm calls the tarball of the present version. */
export function tarballName() {
  const { name, version } = manifest()
  return `${name}-${version}.tgz`
}

/**
 * Writes the files of the package `rangoli-client`: the client's few lines of JavaScript, and the declarations that
 * its types are made of, as the compiler emits them from the server's sources.
 *
 * @param {string} directory where they are to lie
 */
export function writePackage(directory) {
  const emitted = mkdtempSync(path.join(tmpdir(), 'rangoli-client-emitted-'))
  try {
    compile(emitted)
    mkdirSync(directory, { recursive: true })
    writeFileSync(path.join(directory, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
    copyFileSync(path.join(import.meta.dirname, 'package-readme.md'), path.join(directory, 'README.md'))
    copyFileSync(path.join(root, 'LICENSE'), path.join(directory, 'LICENSE'))
    copyFileSync(path.join(emitted, `${entry}.js`), path.join(directory, 'rangoli-client.js'))
    for (const [file, text] of declarations(emitted)) {
      const target = path.join(directory, 'types', file)
      mkdirSync(path.dirname(target), { recursive: true })
      writeFileSync(target, text)
    }
  } finally {
    rmSync(emitted, { recursive: true, force: true })
  }
}

/** @param {string} emitted where JavaScript and declarations of everything go that the client's types refer to */
function compile(emitted) {
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', import.meta.dirname, '--outDir', emitted], {
    stdio: 'pipe',
  })
}

/** The package's own package.json; versions are those that the site itself is built with, and later ones like them. */
function manifest() {
  const { version, license, engines, dependencies } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  )
  const types = `./types/${entry}.d.ts`
  return {
    name: 'rangoli-client',
    version,
    description: 'Typed calls to a Rangoli site, a self-hosted text-to-image gallery',
    license,
    type: 'module',
    sideEffects: false,
    exports: { '.': { types, default: './rangoli-client.js' }, './package.json': './package.json' },
    types,
    engines,
    dependencies: {
      '@trpc/client': `^${dependencies['@trpc/client']}`,
      eventsource: `^${dependencies['eventsource']}`,
    },
    // @trpc/client wants it too, so it is there; said here for package managers that show only what is asked for.
    peerDependencies: { '@trpc/server': `^${dependencies['@trpc/server']}` },
  }
}

/**
 * The entry's declarations and all those they import, by their paths; with the endings that every way of resolving
 * modules knows.
 *
 * @param {string} emitted
 * @returns {Map<string, string>}
 */
function declarations(emitted) {
  /** @type {Map<string, string>} */
  const found = new Map()
  const wanted = [`${entry}.d.ts`]
  for (let file = wanted.pop(); file !== undefined; file = wanted.pop()) {
    if (found.has(file)) continue
    const folder = path.posix.dirname(file)
    const text = readFileSync(path.join(emitted, file), 'utf8')
    found.set(
      file,
      text.replaceAll(importedModule, (_all, keyword, quote, /** @type {string} */ name) => {
        if (name.startsWith('.')) wanted.push(path.posix.join(folder, name.replace(/\.ts$/, '.d.ts')))
        else if (!libraries.test(name))
          throw new Error(`The type of the router refers to ${name}, in ${file}.`)
        return `${keyword}${quote}${name.replace(/^(\..*)\.ts$/, '$1.js')}${quote}`
      }),
    )
  }
  return found
}
