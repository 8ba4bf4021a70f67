/** What the tests use of selenium-webdriver, which has no types of its own. */
declare module 'selenium-webdriver' {
  interface Actions {
    move(options: { x: number; y: number; duration?: number }): Actions
    click(): Actions
    sendKeys(keys: string): Actions
    perform(): Promise<void>
  }

  interface WebDriver {
    get(url: string): Promise<void>
    executeAsyncScript(script: string): Promise<unknown>
    actions(): Actions
    manage(): { window(): { setRect(size: { width: number; height: number }): Promise<unknown> } }
    /** @returns a PNG image in base64 */
    takeScreenshot(): Promise<string>
    quit(): Promise<void>
  }

  export const Key: Readonly<Record<'ESCAPE', string>>

  export class Builder {
    usingServer(url: string): this
    withCapabilities(capabilities: object): this
    /** Starts a browser. */
    build(): PromiseLike<WebDriver>
  }
}
