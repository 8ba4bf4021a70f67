import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { findExecutable, isExecutable } from '../../test/support/programs.ts'

/**
 * Chrome's headless shell first: it opens a context in a quarter of the CPU time that the full browser needs (0.16 s against
 * 0.7 s, Chromium 156), and an end-to-end run opens hundreds.
 */
const browsers = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
]

const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * Finds the browser of the tests: CHROMIUM_PATH, an installed one, or Playwright's download. Otherwise installs Debian's package
 * of the headless shell, with the libraries that a download would lack there, or downloads Playwright's Chromium.
 *
 * @param print receives a line for each download
 * @throws Error if there is none
 */
export function findTestBrowser(print: (line: string) => void): string {
  const found = namedBrowser() ?? installed() ?? downloaded() ?? installPackage(print) ?? download(print)
  if (found) return found
  throw new Error(
    'The browser tests need Chromium: install it (Debian: apt-get install chromium-headless-shell), or set CHROMIUM_PATH.',
  )
}

function namedBrowser(): string | null {
  const file = process.env['CHROMIUM_PATH']
  if (!file) return null
  if (!isExecutable(file)) throw new Error(`CHROMIUM_PATH: ${file} is not an executable file.`)
  return file
}

function installed(): string | null {
  return findExecutable(browsers) ?? applications.find(isExecutable) ?? null
}

function downloaded(): string | null {
  const file = chromium.executablePath()
  return file && existsSync(file) ? file : null
}

/** Installs Debian's package, for root on Debian. Returns null elsewhere, and where the package can't be installed. */
function installPackage(print: (line: string) => void): string | null {
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) return null
  const packages = ['chromium-headless-shell', 'fonts-noto-core']
  print(`No browser is installed. Installing ${packages.join(' and ')} with apt-get …`)
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  spawnSync('apt-get', ['update'], options)
  const { status } = spawnSync(
    'apt-get',
    ['install', '--yes', '--no-install-recommends', ...packages],
    options,
  )
  return status === 0 ? installed() : null
}

function download(print: (line: string) => void): string | null {
  print('Downloading Chromium with Playwright …')
  const cli = path.join(
    path.dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')),
    'cli.js',
  )
  const { status } = spawnSync(process.execPath, [cli, 'install', 'chromium'], {
    stdio: 'ignore',
    timeout: 300_000,
  })
  return status === 0 ? downloaded() : null
}
