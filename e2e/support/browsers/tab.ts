/** Keys that tests press. */
export type Key = 'Escape'

/** A tab of any browser, with what all of them can do. `Screen` adds waiting and elements by role. */
export interface Tab {
  goto(url: string): Promise<void>
  /** Evaluates an expression, and waits if its value is a promise. */
  evaluate(expression: string): Promise<unknown>
  /** Clicks at a point of the viewport, in CSS pixels. */
  clickAt(x: number, y: number): Promise<void>
  type(text: string): Promise<void>
  press(key: Key): Promise<void>
  /** Resizes the viewport, in CSS pixels. */
  resize(width: number, height: number): Promise<void>
  /** Returns a PNG image of the viewport. */
  screenshot(): Promise<Uint8Array>
  /** Names of the downloaded files. */
  downloads(): Promise<string[]>
  /** Errors and warnings of the console and uncaught errors so far. */
  errors(): Promise<string[]>
  close(): Promise<void>
}

/** A browser that the tests can drive. */
export interface TestBrowser {
  readonly name: string
  /** Programs that it needs and that are not installed. */
  readonly missing: readonly string[]
  /** Opens a tab with an empty profile. */
  open(): Promise<Tab>
  /** Ends its processes. */
  stop(): Promise<void>
}
