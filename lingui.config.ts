import { readdirSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from '@lingui/cli'

const folder = path.join(import.meta.dirname, 'src/i18n/locales')

// Relative patterns would start at the working directory.
const exclude = ['<rootDir>/**/*.d.ts', '<rootDir>/**/*.test.*']

/**
 * A language is one file of the folder. Mails have catalogs of their own, which browsers do not load.
 */
export default defineConfig({
  sourceLocale: 'en',
  locales: readdirSync(folder)
    .filter((file) => file.endsWith('.po'))
    .map((file) => path.basename(file, '.po')),
  catalogs: [
    {
      path: '<rootDir>/src/i18n/locales/{locale}',
      include: ['<rootDir>/src', '<rootDir>/server/http'],
      exclude,
    },
    {
      path: '<rootDir>/src/i18n/locales/mail/{locale}',
      include: ['<rootDir>/server/mail'],
      exclude,
    },
  ],
  formatOptions: { lineNumbers: false },
})
