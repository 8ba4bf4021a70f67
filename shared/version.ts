/** Replaced by `defineVersion` of `server/launch/version.mjs`. */
declare const RANGOLI_VERSION: string

/** Version of this program, such as `1.2.3`: that of package.json. */
export const version: string = RANGOLI_VERSION
