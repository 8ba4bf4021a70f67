import { expect, test } from 'vitest'
import { endWhenSilent } from './end-when-silent.ts'
import { NoResponse } from './no-answer.ts'

/** An answer that says something each `pause` milliseconds, `times` times, and then ends or falls silent. */
function answer(pause: number, times: number, ends: boolean): Response {
  let said = 0
  return new Response(
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, pause))
        if (said < times) controller.enqueue(new TextEncoder().encode(`${(said += 1)}`))
        else if (ends) controller.close()
        else await new Promise(() => {})
      },
    }),
    { status: 201, headers: { 'x-kept': 'yes' } },
  )
}

test('an answer that goes on is passed on, longer than the silence that it may keep', async () => {
  const guarded = endWhenSilent(answer(20, 8, true), 100)
  expect([guarded.status, guarded.headers.get('x-kept')]).toEqual([201, 'yes'])
  expect(await guarded.text()).toBe('12345678')
})

test('an answer that falls silent fails', async () => {
  await expect(endWhenSilent(answer(1, 2, false), 50).text()).rejects.toThrow(NoResponse)
})
