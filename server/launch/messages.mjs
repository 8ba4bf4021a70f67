import { transformAsync } from '@babel/core'
import macros from '@lingui/babel-plugin-lingui-macro'
import { lingui } from '@lingui/vite-plugin'

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
            plugins: [macros],
            parserOpts: { plugins: ['typescript', 'jsx'] },
            sourceMaps: true,
          })
          return result?.code == null ? null : { code: result.code, map: result.map ?? null }
        },
      },
    },
    lingui({ failOnCompileError: true }),
  ]
}
