import path from 'node:path'
import { transformAsync } from '@babel/core'
import macros from '@lingui/babel-plugin-lingui-macro'
import { getCatalogs } from '@lingui/cli/api'
import { getConfig } from '@lingui/conf'
import { lingui } from '@lingui/vite-plugin'

/** Not looked for in the working directory, which is that of the site's data. */
const configPath = path.join(import.meta.dirname, '../../lingui.config.ts')
const linguiConfig = getConfig({ configPath })

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
    lingui({ configPath, failOnCompileError: true }),
    {
      name: 'lingui-short-ids',
      apply: 'build',
      transform: {
        filter: { id: /\.po$/ },
        // The keys of JSON in a string.
        handler: (code) => withShortIds(code, /(?<=[{,]\\")[\w+/]{6}(?=\\":\[)/g),
      },
    },
    {
      name: 'lingui-parts',
      apply: 'build',
      enforce: 'post',
      transform: {
        filter: { id: /\.po(?:\?.*)?$/ },
        async handler(code, id) {
          const { isOther } = await knownMessages()
          const keepsOthers = id.endsWith('?others.po')
          // The server renders with the whole catalog.
          const keeps = (/** @type {string} */ number) =>
            this.environment.name === 'client' ? isOther(number) === keepsOthers : !keepsOthers
          return code.replace(/(?<=JSON\.parse\()"(?:[^"\\]|\\.)*"/, (json) => {
            const compiled = Object.entries(JSON.parse(JSON.parse(json)))
            const kept = compiled.filter(([number]) => keeps(number))
            return JSON.stringify(JSON.stringify(Object.fromEntries(kept)))
          })
        },
      },
    },
  ]
}

/**
 * Replaces the macros of a module by the calls that they stand for.
 *
 * @param {string} code
 * @param {string} id
 * @param {boolean} isBuild
 */
async function withoutMacros(code, id, isBuild) {
  const result = await transformAsync(code, {
    filename: id,
    babelrc: false,
    configFile: false,
    plugins: [[macros, { linguiConfig }]],
    parserOpts: { plugins: ['typescript', 'jsx'] },
    sourceMaps: true,
  })
  if (result?.code == null) return null
  const ids = /(?<=\/\*i18n\*\/\s*\{\s*id: ")[^"]+/g
  return {
    code: isBuild ? await withShortIds(result.code, ids) : result.code,
    map: result.map ?? null,
  }
}

/**
 * Replaces ids in a compiled module by the numbers of their messages. Ids are hashes, which cannot be compressed: with
 * numbers a catalog and its calls are smaller.
 *
 * @param {string} code
 * @param {RegExp} ids
 */
async function withShortIds(code, ids) {
  const { numbers } = await knownMessages()
  return code.replaceAll(ids, (id) => numbers.get(id) ?? id)
}

/** Sources of pages and dialogs that few visitors open, which load their messages with themselves; and of documents, which only the server renders. */
const otherSources =
  /^(?:server\/|src\/(?:features\/(?:about|account|admin|collections|create|invitation|mailed-links|moderation|notifications|setup|verify|webhooks)\/|ui\/example-prompts|offline-page|page-meta|shortcut-sheet))/

/** @type {ReturnType<typeof readMessages> | null} */
let catalogInfo = null

function knownMessages() {
  return (catalogInfo ??= readMessages())
}

async function readMessages() {
  const [catalog] = await getCatalogs(linguiConfig)
  const extracted = Object.entries((await catalog?.read('en')) ?? {})
  const numbers = new Map(extracted.map(([id], index) => [id, index.toString(36)]))
  const others = new Set(
    extracted.flatMap(([id, { origin = [] }]) =>
      origin.every(([file]) => otherSources.test(file)) ? (numbers.get(id) ?? []) : [],
    ),
  )
  return { numbers, isOther: (/** @type {string} */ number) => others.has(number) }
}

/** @type {typeof import('./messages.d.mts').checkMessages} */
export function checkMessages() {
  return {
    name: 'lingui-catalogs',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    async buildStart() {
      for (const catalog of await getCatalogs(linguiConfig)) {
        const used = await catalog.collect()
        if (!used) throw new Error('The messages could not be read from the sources.')
        const extracted = await catalog.readAll()
        for (const [language, known] of Object.entries(extracted)) {
          const missing = Object.entries(used).filter(([id]) => !known?.[id]?.translation)
          if (missing.length === 0) continue
          const texts = missing.map(([id, { message }]) => `  ${message ?? id}`)
          throw new Error(
            `${language}.po lacks messages. Run \`npm run messages\`, and translate them:\n${texts.join('\n')}`,
          )
        }
      }
    },
  }
}
