import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { chromium } from 'playwright-core'
import { findExecutable, installPackages, isExecutable } from './executables.ts'

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
  return findExecutable(commands) ?? applications.find(isExecutable) ?? null
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
  return installPackages(['chromium', 'fonts-noto-core'], say) ? installed() : null
}
