import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'

/** The name under which a request is found in the log. */
export class RequestName {
  #id: string | null

  /** @param given the name that a trusted proxy gave it, or null */
  constructor(given: string | null) {
    this.#id = given
  }

  /** Made when it is first asked for: most requests leave no line and are not told their name. */
  get id(): string {
    return (this.#id ??= randomUUID().slice(-12))
  }
}

const current = new AsyncLocalStorage<RequestName>()

/** Does work that belongs to a request, with everything that it sets going. */
export function duringRequest<Result>(name: RequestName, work: () => Result): Result {
  return current.run(name, work)
}

/** What every line of the log says of the request that it belongs to; nothing where it belongs to none. */
export function requestFields(): { requestId?: string } {
  const name = current.getStore()
  return name ? { requestId: name.id } : {}
}
