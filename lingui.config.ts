import { readdirSync } from 'node:fs'
import path from 'node:path'
import { extractFromFileWithBabel } from '@lingui/cli/api/extractors/babel'
import { defineConfig } from '@lingui/cli'
import { errorDetails, errors } from './shared/errors.ts'

const folder = path.join(import.meta.dirname, 'src/i18n/locales')

// Relative patterns would start at the working directory.
const exclude = ['<rootDir>/**/*.d.ts', '<rootDir>/**/*.test.*']

/** The messages of errors, by code. Their English is a comment in the catalogs. */
const errorMessages = [
  ...Object.entries(errors).map(([code, { message }]) => ({ id: `error.${code}`, message })),
  ...Object.entries(errorDetails).map(([code, message]) => ({ id: `detail.${code}`, message })),
]

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
      include: ['<rootDir>/src', '<rootDir>/server/http', '<rootDir>/shared/errors.ts'],
      exclude,
    },
    {
      path: '<rootDir>/src/i18n/locales/mail/{locale}',
      include: ['<rootDir>/server/mail'],
      exclude,
    },
  ],
  extractors: [
    {
      match: (file) => /\.tsx?$/.test(file),
      async extract(file, code, onMessage, context) {
        if (context && !file.endsWith('shared/errors.ts')) {
          const plugins = [file.endsWith('x') ? ['jsx' as const] : [], 'typescript' as const].flat()
          return extractFromFileWithBabel(file, code, onMessage, context, { plugins })
        }
        for (const { id, message } of errorMessages)
          onMessage({ id, message, comment: message, origin: [file, 0], placeholders: {} })
      },
    },
  ],
  formatOptions: { lineNumbers: false },
})
