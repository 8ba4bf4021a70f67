import { expect, onTestFinished, test } from 'vitest'
import { answerNothing } from '../engines/openai/provider-answers.ts'
import { startProviderDouble, type Answer } from '../engines/openai/provider-double.ts'
import { watchStream } from './watch-stream.ts'

const beginOnly: Answer = ({ response }) => {
  response.writeHead(200)
  response.write('{"line":1')
}

test.each([
  ['an answer', answerNothing()],
  ['the rest of it', beginOnly],
])('who waits in vain for %s is told so', async (_, answer) => {
  const double = await startProviderDouble([], { '/healthz/stream': answer })
  onTestFinished(double.stop)
  expect(await watchStream(double.origin, 300)).toEqual({ fault: 'no answer in time' })
})

test('an answer that is cut off is a fault', async () => {
  const double = await startProviderDouble([], {
    '/healthz/stream': ({ response }) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"line":1', () => response.socket?.destroySoon())
    },
  })
  onTestFinished(double.stop)
  expect(await watchStream(double.origin)).toEqual({ fault: 'ECONNRESET' })
})
