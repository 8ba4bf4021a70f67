import type { PluginOption } from 'vite'

/**
 * Vite plugins that compile the messages of the interface: macros in components, and the catalogs in `src/i18n/locales`.
 *
 * @see https://lingui.dev/ref/macro
 */
export function messages(): PluginOption

/** Vite plugin that fails a build if a catalog lacks a message of the sources. */
export function checkMessages(): PluginOption
