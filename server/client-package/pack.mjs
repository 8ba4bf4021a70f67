/**
 * Packs the client library: `npm run pack:client -- DIR [--force]`. Plain JavaScript, as it runs from the sources on the
 * oldest supported version of Node.
 */
import { copyFileSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { packFolder, tarballName, writePackage } from './write-package.mjs'

const usage = `Usage: npm run pack:client -- DIR [--force]

Packs rangoli-client, the typed client of these sources, as a tarball in the folder DIR. Replaces a tarball of the same
version only with --force.`

const advice = 'see npm run pack:client -- --help.'

try {
  run(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof Error)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

/** @param {string[]} args */
function run(args) {
  const { values, positionals } = parse(args)
  if (values.help) return print(usage)
  const [directory, ...rest] = positionals
  if (directory === undefined) throw new Error(`The folder for the tarball is missing; ${advice}`)
  if (rest.length > 0) throw new Error(`Only one folder is allowed; ${advice}`)

  const file = path.resolve(directory, tarballName())
  const unpacked = mkdtempSync(path.join(tmpdir(), 'rangoli-client-'))
  /** @param {() => void} write */
  const toFolder = (write) => {
    try {
      write()
    } catch (error) {
      const { message } = /** @type {Error} */ (error)
      throw new Error(`Can't write the tarball to ${path.dirname(file)}: ${message}`, { cause: error })
    }
  }
  try {
    // Before the package is built, which takes a while.
    toFolder(() => mkdirSync(path.dirname(file), { recursive: true }))
    if (existsSync(file) && !values.force) throw new Error(`${file} already exists. Replace it with --force.`)
    writePackage(path.join(unpacked, 'package'))
    const tarball = packFolder(path.join(unpacked, 'package'), unpacked)
    toFolder(() => copyFileSync(tarball, file, values.force ? 0 : constants.COPYFILE_EXCL))
    print(`Created ${file}. Install it with: npm install ${file}`)
  } finally {
    rmSync(unpacked, { recursive: true, force: true })
  }
}

/** @param {string[]} args */
function parse(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { force: { type: 'boolean' }, help: { type: 'boolean' } },
    })
  } catch (error) {
    // Node's message continues with hints about its own syntax.
    const [message = ''] = String(error instanceof Error ? error.message : error).split(/\.\s|\n/)
    throw new Error(`${message}; ${advice}`, { cause: error })
  }
}

/** @param {string} text */
function print(text) {
  process.stdout.write(`${text}\n`)
}
