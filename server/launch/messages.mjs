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
  return [
    {
      name: 'lingui-macros',
      // Before the transformation of JSX.
      enforce: 'pre',
      transform: {
        filter: { id: /\.tsx?$/, code: /@lingui\/(?:core|react)\/macro/ },
        async handler(code, id) {
          const result = await transformAsync(code, {
            filename: id,
            babelrc: false,
            configFile: false,
            plugins: [[macros, { linguiConfig }]],
            parserOpts: { plugins: ['typescript', 'jsx'] },
            sourceMaps: true,
          })
          if (result?.code == null) return null
          const isBuild = this.environment.mode === 'build'
          const ids = /(?<=\/\*i18n\*\/\s*\{\s*id: ")[^"]+/g
          return {
            code: isBuild ? await withShortIds(result.code, ids) : result.code,
            map: result.map ?? null,
          }
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
  ]
}

/**
 * Replaces ids in a compiled module by the numbers of their messages. Ids are hashes, which cannot be compressed: with
 * numbers a catalog and its calls are smaller.
 *
 * @param {string} code
 * @param {RegExp} ids
 */
async function withShortIds(code, ids) {
  const numbers = await (numbersById ??= readNumbers())
  return code.replaceAll(ids, (id) => numbers.get(id) ?? id)
}

/** @type {Promise<Map<string, string>> | null} */
let numbersById = null

async function readNumbers() {
  const [catalog] = await getCatalogs(linguiConfig)
  const extracted = await catalog?.read('en')
  return new Map(Object.keys(extracted ?? {}).map((id, index) => [id, index.toString(36)]))
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
