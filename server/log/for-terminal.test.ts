import { expect, test } from 'vitest'
import { forTerminal } from './for-terminal.ts'
import { openLog } from './open-log.ts'

/** What a terminal shows, without its colours. */
function shown(write: (log: ReturnType<typeof openLog>) => void): string {
  let text = ''
  write(openLog('info', forTerminal({ write: (line) => (text += line) })))
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\x1b\[\d+m/g, '')
}

test('a request is one line that reads like a sentence', () => {
  const line = { requestId: 'f3a91c07d2be', method: 'POST', path: '/api/v1/post', status: 201, ms: 43.1 }
  expect(shown((log) => log.info(line, 'answered'))).toMatch(
    /^\[\d\d:\d\d:\d\d\] INFO: POST \/api\/v1\/post 201 in 43\.1 ms \[f3a91c07d2be\]\n$/,
  )
  expect(shown((log) => log.info({ ...line, status: null }, 'the client left'))).toContain(
    'POST /api/v1/post – in 43.1 ms, the client left [f3a91c07d2be]',
  )
})

test('anything else has its facts behind it', () => {
  expect(shown((log) => log.warn({ removed: 3 }, 'removed pictures'))).toMatch(
    /^\[\d\d:\d\d:\d\d\] WARN: removed pictures \{"removed":3\}\n$/,
  )
})

test('an error shows where it came from', () => {
  const text = shown((log) =>
    log.error({ err: new Error('The disk is gone.'), path: '/' }, 'a request failed'),
  )
  expect(text).toMatch(/ERROR: a request failed \(\/\) *\n/)
  expect(text).toContain('The disk is gone.')
  expect(text).toContain('for-terminal.test.ts')
})

test('what is below the level is not shown', () => {
  expect(shown((log) => log.debug('hidden'))).toBe('')
})
