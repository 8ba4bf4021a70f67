import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')
const entry = 'server/client-package/rangoli-client'

/** Packages whose types the declarations may import. Other dependencies of the server must not appear in them. */
const libraries = /^@trpc\/(?:client|server)(?:\/|$)/

const importedModule = /(\bfrom |\bimport\()(['"])([^'"]+)\2/g

/** Returns npm's file name for the tarball of this version. */
export function tarballName() {
  const { name, version } = manifest()
  return `${name}-${version}.tgz`
}

/**
 * Writes the files of the package `rangoli-client`: the client's JavaScript, and the declarations that its types refer to,
 * as emitted by the compiler from the server's sources.
 *
 * @param {string} directory folder for the files
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

/** @param {string} emitted folder for the JavaScript and the declarations */
function compile(emitted) {
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', import.meta.dirname, '--outDir', emitted], {
    stdio: 'pipe',
  })
}

/** Returns the package.json. Dependencies are compatible with the versions that the site is built with. */
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
    // Also a peer dependency of @trpc/client. Listed because strict package managers resolve only declared dependencies.
    peerDependencies: { '@trpc/server': `^${dependencies['@trpc/server']}` },
  }
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
    const folder = path.posix.dirname(file)
    const text = readFileSync(path.join(emitted, file), 'utf8')
    found.set(
      file,
      text.replaceAll(importedModule, (_all, keyword, quote, /** @type {string} */ name) => {
        if (name.startsWith('.')) pending.push(path.posix.join(folder, name.replace(/\.ts$/, '.d.ts')))
        else if (!libraries.test(name))
          throw new Error(`The type of the router refers to ${name}, in ${file}.`)
        return `${keyword}${quote}${name.replace(/^(\..*)\.ts$/, '$1.js')}${quote}`
      }),
    )
  }
  return found
}
