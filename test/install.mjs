/**
 * Installs what only checks, tests and benches need (test/packages/package.json): `npm ci` alone installs what builds and runs the site.
 * Every script that needs more runs this first, which takes milliseconds when nothing is missing.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const { dependencies } = readJson('test/packages/package.json')

if (Object.entries(dependencies).some(([name, version]) => installedVersion(name) !== version)) {
  const options = ['--workspaces', '--include-workspace-root', '--no-save', '--no-audit', '--prefer-offline']
  execFileSync('npm', ['install', ...options], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
}

/** @param {string} name */
function installedVersion(name) {
  try {
    return readJson(`node_modules/${name}/package.json`).version
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8'))
}
