import { readFileSync } from 'node:fs'

/** Version in package.json. @type {string} */
export const version = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version

/** Option of Vite that builds the version into `shared/version.ts`. */
export const defineVersion = { RANGOLI_VERSION: JSON.stringify(version) }
