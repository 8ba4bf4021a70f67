import { NoResponse } from './no-answer.ts'

/**
 * The same answer, whose body fails when nothing of it has come for `milliseconds`: a connection can die
 * without a word, and its reader would wait for ever.
 */
export function endWhenSilent(response: Response, milliseconds: number): Response {
  if (!response.body) return response
  let timer: ReturnType<typeof setTimeout> | undefined
  const guard = new TransformStream<Uint8Array, Uint8Array>({
    start: watch,
    transform(chunk, controller) {
      watch(controller)
      controller.enqueue(chunk)
    },
    flush: () => clearTimeout(timer),
  })

  function watch(controller: TransformStreamDefaultController<Uint8Array>) {
    clearTimeout(timer)
    timer = setTimeout(() => controller.error(new NoResponse('The server fell silent')), milliseconds)
  }

  const { status, statusText, headers } = response
  return new Response(response.body.pipeThrough(guard), { status, statusText, headers })
}
