import { execFileSync, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { chromium } from 'playwright-core'

const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']

const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * The browser for the tests: CHROMIUM_PATH, else an installed one, else Playwright's own download, else
 * Debian's package.
 *
 * @param say told what is being fetched
 * @throws where none can be had, with what to install
 */
export function findChromium(say: (line: string) => void): string {
  const named = process.env['CHROMIUM_PATH']
  if (named) {
    if (!isExecutable(named)) throw new Error(`CHROMIUM_PATH: there is no program at ${named}.`)
    return named
  }
  const found = installed() ?? downloaded() ?? download(say) ?? installPackage(say)
  if (found) return found
  throw new Error(
    'The browser tests need Chromium: install it (Debian: apt-get install chromium), or set CHROMIUM_PATH.',
  )
}

function installed(): string | null {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter)
  const candidates = folders.flatMap((folder) => commands.map((command) => path.join(folder, command)))
  return [...candidates, ...applications].find(isExecutable) ?? null
}

function downloaded(): string | null {
  const file = chromium.executablePath()
  return file && existsSync(file) ? file : null
}

function download(say: (line: string) => void): string | null {
  say('No Chromium is installed; asking Playwright for its own …')
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

function installPackage(say: (line: string) => void): string | null {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return null
  say('Installing the package chromium with apt-get …')
  const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  execFileSync('apt-get', ['update'], options)
  execFileSync(
    'apt-get',
    ['install', '--yes', '--no-install-recommends', 'chromium', 'fonts-noto-core'],
    options,
  )
  return installed()
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
