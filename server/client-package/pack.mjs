/** Packs the client library. Plain JavaScript, as it runs from the sources on the oldest supported version of Node. */
import { copyFileSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Command } from 'commander'
import { packFolder, tarballName, writePackage } from './write-package.mjs'

new Command('npm run pack:client --')
  .description('Packs rangoli-client, the typed client of these sources, as a tarball.')
  .argument('<dir>', 'folder for the tarball')
  .option('--force', 'replace a tarball of the same version')
  .showHelpAfterError()
  .action(run)
  .parse()

/**
 * @param {string} directory
 * @param {{ force?: boolean }} options
 */
function run(directory, { force = false }) {
  const file = path.resolve(directory, tarballName())
  const unpacked = mkdtempSync(path.join(tmpdir(), 'rangoli-client-'))
  try {
    // Before the package is built, which takes a while.
    mkdirSync(path.dirname(file), { recursive: true })
    if (existsSync(file) && !force) throw new Error(`${file} already exists. Replace it with --force.`)
    writePackage(path.join(unpacked, 'package'))
    const tarball = packFolder(path.join(unpacked, 'package'), unpacked)
    copyFileSync(tarball, file, force ? 0 : constants.COPYFILE_EXCL)
    process.stdout.write(`Created ${file}. Install it with: npm install ${file}\n`)
  } catch (error) {
    const { message } = /** @type {Error} */ (error)
    const isOfSystem = error instanceof Error && 'syscall' in error
    const reason = isOfSystem ? `Can't write the tarball to ${path.dirname(file)}: ${message}` : message
    process.stderr.write(`${reason}\n`)
    process.exitCode = 1
  } finally {
    rmSync(unpacked, { recursive: true, force: true })
  }
}
