import type { PluginOption } from 'vite'

/**
 * Vite plugins that compile the messages of the interface: macros in components, and the catalogs in `src/i18n/locales`.
 *
 * @see https://lingui.dev/ref/macro
 */
export function messages(): PluginOption

/** Vite plugin that fails a build if a message of the sources is not extracted, or not translated into each language. */
export function checkMessages(): PluginOption
