import { readStored, store } from './apis.ts'

/** Key in `sessionStorage`, so that the words survive a sign-in service on another site. */
const storageKey = 'continue'

/** Keeps the prompt of which the form generates an image as soon as it is shown to a signed-in user. */
export function keepContinuation(prompt: string): void {
  store('sessionStorage', storageKey, prompt)
}

/** Returns the prompt to continue with; null if there is none. */
export function readContinuation(): string | null {
  return readStored('sessionStorage', storageKey)
}

/** Removes and returns the prompt to continue with; null if there is none. */
export function takeContinuation(): string | null {
  const prompt = readContinuation()
  forgetContinuation()
  return prompt
}

/** Removes the prompt to continue with: the user has turned to something else. */
export function forgetContinuation(): void {
  store('sessionStorage', storageKey, null)
}
