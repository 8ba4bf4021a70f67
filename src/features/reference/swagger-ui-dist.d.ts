/** As far as this page uses it; the package has no types. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface Options {
    readonly domNode: Element
    readonly url: string
    readonly deepLinking: boolean
    /** A service elsewhere that judges the description; null for none. */
    readonly validatorUrl: null
    readonly defaultModelsExpandDepth: number
    readonly docExpansion: 'list' | 'full' | 'none'
  }
  const SwaggerUIBundle: (options: Options) => unknown
  export { SwaggerUIBundle as default }
}
