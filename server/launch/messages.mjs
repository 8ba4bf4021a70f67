import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { transformAsync } from '@babel/core'
import macros from '@lingui/babel-plugin-lingui-macro'
import { makeConfig } from '@lingui/conf'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import PO from 'pofile'
import { errorDetails, errors } from '../../shared/errors.ts'

const root = path.join(import.meta.dirname, '../..')
const folder = path.join(root, 'src/i18n/locales')

/** The defaults: lingui.config.ts is about extraction, whose packages a build does not need. */
const linguiConfig = makeConfig({ rootDir: root }, { skipValidation: true })

/** @type {typeof import('./messages.d.mts').messages} */
export function messages() {
  /** @type {Map<string, { source: string, result: ReturnType<typeof withoutMacros> }>} */
  const transformed = new Map()
  return [
    {
      name: 'lingui-macros',
      // Before the transformation of JSX.
      enforce: 'pre',
      // Client and server contain the same components, which are transformed once.
      sharedDuringBuild: true,
      config: () => ({ optimizeDeps: { exclude: ['@lingui/core/macro', '@lingui/react/macro'] } }),
      transform: {
        filter: { id: /\.tsx?$/, code: /@lingui\/(?:core|react)\/macro/ },
        handler(code, id) {
          const known = transformed.get(id)
          if (known?.source === code) return known.result
          const result = withoutMacros(code, id, this.environment.mode === 'build')
          transformed.set(id, { source: code, result })
          return result
        },
      },
    },
    {
      name: 'lingui-catalogs',
      transform: {
        filter: { id: /\.po(?:\?.*)?$/ },
        handler(source, file) {
          const { mode, name } = this.environment
          const isOthers = file.endsWith('?others.po')
          // The server renders with the whole catalog, and so does the client in development.
          const keeps = (/** @type {string} */ id) =>
            mode !== 'build' || (name === 'client' ? knownMessages().others.has(id) === isOthers : !isOthers)
          const compiled = [...readCatalog(source)]
            .filter(([id]) => keeps(id))
            .map(([id, { text, message }]) => [
              mode === 'build' ? shortId(id) : id,
              compileMessageOrThrow(text || message || id),
            ])
          const json = JSON.stringify(JSON.stringify(Object.fromEntries(compiled)))
          return { code: `export const messages = JSON.parse(${json})`, map: null, moduleType: 'js' }
        },
      },
    },
    {
      name: 'lingui-error-messages',
      apply: 'build',
      buildStart() {
        const codes = Object.keys(errors).map((code) => `error.${code}`)
        const details = Object.keys(errorDetails).map((code) => `detail.${code}`)
        requireTranslations([...codes, ...details], 'shared/errors.ts')
      },
    },
  ]
}

/**
 * Replaces the macros of a module by the calls that they stand for. In a build, fails if a message is not translated, and
 * replaces ids by the numbers of their messages: ids are hashes, which cannot be compressed, so that a catalog and its calls
 * are smaller.
 *
 * @param {string} code
 * @param {string} file
 * @param {boolean} isBuild
 */
async function withoutMacros(code, file, isBuild) {
  const result = await transformAsync(code, {
    filename: file,
    babelrc: false,
    configFile: false,
    plugins: [[macros, { linguiConfig }]],
    parserOpts: { plugins: ['typescript', 'jsx'] },
    sourceMaps: true,
  })
  if (result?.code == null) return null
  const map = result.map ?? null
  if (!isBuild) return { code: result.code, map }
  const ids = /(?<=\/\*i18n\*\/\s*\{\s*id: ")[^"]+/g
  requireTranslations(result.code.match(ids) ?? [], path.relative(root, file).replaceAll(path.sep, '/'))
  return { code: result.code.replaceAll(ids, shortId), map }
}

/**
 * @param {readonly string[]} ids of messages
 * @param {string} source the file that shows them
 * @throws Error if one is not extracted, or not translated into each language
 */
function requireTranslations(ids, source) {
  for (const [file, catalog] of source.startsWith('server/mail/')
    ? knownMessages().mails
    : knownMessages().pages) {
    const missing = ids.filter((id) => !catalog.get(id)?.text)
    if (missing.length === 0) continue
    const texts = missing.map((id) => `  ${catalog.get(id)?.message || id}`)
    throw new Error(
      `${file} lacks messages of ${source}. Run \`npm run messages\`, and translate them:\n${texts.join('\n')}`,
    )
  }
}

/** Sources of pages and dialogs that few visitors open and of errors, which load their messages with themselves; and of documents, which only the server renders. */
const otherSources =
  /^(?:server\/|shared\/errors|src\/(?:features\/(?:about|account|admin|auth\/local|collections|create|invitation|mailed-links|moderation|notifications|setup|verify|webhooks)\/|features\/(?:auth\/signed-in-only|post\/(?:hidden-post|post-dialogs|report-dialog))|ui\/(?:action-log|example-prompts|post-options)|offline-page|page-meta|shortcut-sheet))/

/** @type {ReturnType<typeof readMessages> | null} */
let known = null

/** The catalogs at the first build of this process. */
function knownMessages() {
  return (known ??= readMessages())
}

function readMessages() {
  const pages = readCatalogs('')
  const extracted = [...(pages.get('en.po') ?? [])]
  return {
    pages,
    mails: readCatalogs('mail'),
    // Errors are looked up by their names.
    numbers: new Map(
      extracted.map(([id, { message }], index) => [id, message === null ? id : index.toString(36)]),
    ),
    others: new Set(
      extracted.flatMap(([id, { files }]) => (files.every((file) => otherSources.test(file)) ? id : [])),
    ),
  }
}

/** @param {string} id */
function shortId(id) {
  return knownMessages().numbers.get(id) ?? id
}

/** @param {string} part folder of catalogs */
function readCatalogs(part) {
  const files = readdirSync(path.join(folder, part)).filter((file) => file.endsWith('.po'))
  return new Map(
    files.map((file) => [file, readCatalog(readFileSync(path.join(folder, part, file), 'utf8'))]),
  )
}

/**
 * Reads the messages of a catalog by id: a hash of the English text, except for errors, which are named by their codes.
 *
 * @param {string} source
 */
function readCatalog(source) {
  return new Map(
    PO.parse(source).items.map(({ msgid, msgctxt, msgstr, extractedComments, references }) => {
      const isNamed = extractedComments.includes('js-lingui-explicit-id')
      const id = isNamed ? msgid : generateMessageId(msgid, msgctxt)
      return [id, { message: isNamed ? null : msgid, text: msgstr[0] ?? '', files: references }]
    }),
  )
}
