import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from 'vitest'
import type { Key, Tab } from './tab.ts'

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Actions take longer in a browser that starts cold on a busy machine. */
const timeoutMs = 20_000

/** An element by its role and accessible name. */
export interface Target {
  readonly role: string
  readonly name: string
  /** Role of an element around it. */
  readonly within?: string
}

interface Point {
  readonly x: number
  readonly y: number
}

/**
 * What a user sees of a tab: elements by role and accessible name, which axe computes in every browser alike. Clicks wait until
 * the element rests and receives them.
 */
export class Screen {
  readonly tab: Tab

  constructor(tab: Tab) {
    this.tab = tab
  }

  /** Calls a function in the page. It can use its parameters, which are serialized as JSON, and globals only. */
  evaluate<Args extends readonly unknown[], Result>(
    run: (...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> {
    return this.tab.evaluate(`(${run.toString()})(...${JSON.stringify(args)})`) as Promise<Awaited<Result>>
  }

  async click(target: Target): Promise<void> {
    const { x, y } = await this.#restingPoint(target)
    await this.tab.clickAt(x, y)
  }

  /** Replaces the value of a field, by keys. */
  async enter(target: Target, text: string): Promise<void> {
    await this.click(target)
    await this.evaluate(() => {
      const field = document.activeElement
      if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.select()
    })
    await this.tab.type(text)
    await this.eventually(() => this.#valueOf(target)).toBe(text)
  }

  press(key: Key): Promise<void> {
    return this.tab.press(key)
  }

  /** Chooses an option of a select. Drivers can't reach the options of native selects. */
  async choose(target: Target, label: string): Promise<void> {
    const choose = () =>
      this.#evaluateOn(
        target,
        (select, option) => {
          if (!select) return false
          if (!(select instanceof HTMLSelectElement)) throw new Error('not a select')
          select.selectedIndex = [...select.options].findIndex(({ text }) => text === option)
          select.dispatchEvent(new Event('change', { bubbles: true }))
          return true
        },
        label,
      )
    await this.eventually(choose, JSON.stringify(target)).toBe(true)
  }

  /** Waits until an element is on the page. */
  async shows(target: Target): Promise<void> {
    await this.eventually(() => this.#has(target), JSON.stringify(target)).toBe(true)
  }

  /** Waits until an element is gone. */
  async hides(target: Target): Promise<void> {
    await this.eventually(() => this.#has(target), JSON.stringify(target)).toBe(false)
  }

  /** Waits until the page's path and query are these. */
  async isAt(address: string): Promise<void> {
    await this.eventually(() => this.evaluate(() => location.pathname + location.search)).toBe(address)
  }

  /** Polls a value of the page, which may fail while another page loads. */
  eventually<Value>(
    read: () => Promise<Value>,
    message?: string,
  ): ReturnType<typeof expect.poll<Promise<Value>>> {
    return expect.poll(read, { timeout: timeoutMs, interval: 100, ...(message && { message }) })
  }

  #valueOf(target: Target): Promise<string | null> {
    return this.#evaluateOn(target, (field) =>
      field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement ? field.value : null,
    )
  }

  #has(target: Target): Promise<boolean> {
    return this.#evaluateOn(target, (element) => element !== null)
  }

  /** Waits until an element rests, and is what a click there would reach. */
  async #restingPoint(target: Target): Promise<Point> {
    let last: Point | null = null
    await this.eventually(async () => {
      const point = await this.#reachablePoint(target)
      if (typeof point === 'string') return point
      last = point
      return 'rests'
    }, JSON.stringify(target)).toBe('rests')
    return last as unknown as Point
  }

  #reachablePoint(target: Target): Promise<Point | string> {
    return this.#evaluateOn(target, async (element) => {
      if (!element) return 'is missing'
      if (element.matches(':disabled, [aria-disabled=true]')) return 'is disabled'
      const reached = () => {
        const { left, top, width, height } = element.getBoundingClientRect()
        const point = { x: Math.round(left + width / 2), y: Math.round(top + height / 2) }
        const hit = document.elementFromPoint(point.x, point.y)
        return element.contains(hit) ? point : `is covered by ${hit?.outerHTML.slice(0, 200)}`
      }
      const { top, bottom } = element.getBoundingClientRect()
      const isInside = top >= 0 && bottom <= innerHeight
      if (!isInside || typeof reached() === 'string')
        element.scrollIntoView({ block: 'center', behavior: 'instant' })
      const before = reached()
      if (typeof before === 'string') return before
      await new Promise((resolve) => setTimeout(resolve, 50))
      const after = reached()
      if (typeof after === 'string') return after
      return before.x === after.x && before.y === after.y ? after : 'moves'
    })
  }

  /** Calls a function with an element of the page, or null. */
  async #evaluateOn<Args extends readonly unknown[], Result>(
    target: Target,
    run: (element: Element | null, ...args: Args) => Result,
    ...args: Args
  ): Promise<Awaited<Result>> {
    await this.#prepare()
    const [wanted, ...values] = [target, ...args].map((value) => JSON.stringify(value))
    const element = `window.${finderName}(${wanted})`
    return (await this.tab.evaluate(`(${run.toString()})(${[element, ...values].join()})`)) as Awaited<Result>
  }

  /** Defines the function that finds elements, once for each document. */
  async #prepare(): Promise<void> {
    if (await this.evaluate((name) => Reflect.has(window, name), finderName)) return
    await this.tab.evaluate(`(() => { ${axeSource} })()`)
    await this.evaluate(defineFinder, finderName)
  }
}

const finderName = 'findByRole'

/** Runs in the page. */
function defineFinder(name: string): void {
  interface Axe {
    setup(root: Element): void
    teardown(): void
    readonly commons: {
      readonly aria: { getRole(element: Element): string | null }
      readonly dom: { isVisibleToScreenReaders(element: Element): boolean }
      readonly text: { accessibleText(element: Element): string }
    }
  }
  const axe = Reflect.get(window, 'axe') as Axe
  Reflect.set(window, name, (target: { role: string; name: string; within?: string }) => {
    axe.setup(document.documentElement)
    try {
      const { aria, dom, text } = axe.commons
      // Most elements are of these kinds, which have a role only if they name one.
      const withRole = (root: Element, role: string) =>
        [...root.querySelectorAll('[role], :not(div, span, bdi, svg *)')].filter(
          (element) => aria.getRole(element) === role,
        )
      const roots = target.within ? withRole(document.body, target.within) : [document.body]
      return (
        roots
          .flatMap((root) => withRole(root, target.role))
          .find(
            (element) =>
              element.checkVisibility() &&
              dom.isVisibleToScreenReaders(element) &&
              text.accessibleText(element) === target.name,
          ) ?? null
      )
    } finally {
      axe.teardown()
    }
  })
}
