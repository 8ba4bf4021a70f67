import type { PluginOption } from 'vite'

/**
 * Vite plugins that compile the messages of the interface: macros in components, and the catalogs in `src/i18n/locales`. A build
 * fails if a message of the sources is not extracted, or not translated into each language.
 *
 * @see https://lingui.dev/ref/macro
 */
export function messages(): PluginOption
