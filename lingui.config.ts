import { readdirSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from '@lingui/cli'

const folder = path.join(import.meta.dirname, 'src/i18n/locales')

/** A language is one file of the folder. */
export default defineConfig({
  sourceLocale: 'en',
  locales: readdirSync(folder).map((file) => path.basename(file, '.po')),
  catalogs: [
    {
      path: '<rootDir>/src/i18n/locales/{locale}',
      include: ['<rootDir>/src', '<rootDir>/server/http'],
      // Relative patterns would start at the working directory.
      exclude: ['<rootDir>/**/*.d.ts', '<rootDir>/**/*.test.*'],
    },
  ],
  formatOptions: { lineNumbers: false },
})
