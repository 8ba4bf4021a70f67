import { expect, test } from 'vitest'
import { openLog, terminalLog } from './log.ts'

/** Terminal output without colors. */
function shown(write: (log: ReturnType<typeof openLog>) => void): string {
  let text = ''
  write(openLog('info', terminalLog({ write: (line) => (text += line) })))
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\x1b\[\d+m/g, '')
}

test('prints a request as one line', () => {
  const line = { requestId: 'f3a91c07d2be', method: 'POST', path: '/api/v1/post', status: 201, ms: 43.1 }
  expect(shown((log) => log.info(line, 'request completed'))).toMatch(
    /^\[\d\d:\d\d:\d\d\] INFO: POST \/api\/v1\/post 201 in 43\.1 ms \[f3a91c07d2be\]\n$/,
  )
  expect(shown((log) => log.info({ ...line, status: null }, 'client disconnected'))).toContain(
    'POST /api/v1/post – in 43.1 ms, client disconnected [f3a91c07d2be]',
  )
})

test('prints the fields of other messages after the text, the stack of an error, and nothing below the level', () => {
  expect(shown((log) => log.warn({ removed: 3 }, 'removed images'))).toMatch(
    /^\[\d\d:\d\d:\d\d\] WARN: removed images \{"removed":3\}\n$/,
  )
  const err = new Error('The disk is gone.')
  const text = shown((log) => log.error({ err, path: '/' }, 'a request failed'))
  expect(text).toMatch(/ERROR: a request failed \(\/\) *\n/)
  expect(text).toContain('The disk is gone.')
  expect(text).toContain('log.test.ts')
  expect(shown((log) => log.debug('hidden'))).toBe('')
})

test.each([
  ['the field `err`', (error: Error) => ({ err: error })],
  ['another field', (error: Error) => ({ error })],
  ['a list', (error: Error) => ({ details: ['of a library', error] })],
  ['an object in a list', (error: Error) => ({ details: [{ provider: 'oidc', error }] })],
  ['the cause of another error', (cause: Error) => ({ details: [new Error('It failed.', { cause })] })],
])('keeps the message and the stack of an error in %s', (_, fields) => {
  let json = ''
  const log = openLog('info', { write: (line) => (json += line) })
  log.error(fields(new TypeError('The reason.')), 'a call failed')
  expect(json).toContain('The reason.')
  expect(json).toContain('TypeError')
  expect(json).toContain('log.test.ts')
})

test('escapes invisible characters in every field, also in JSON', () => {
  const invisible = '\x1b[2J\x07\r\x7f\x9b\u2028\u202e\u2066\u200b\u{e0041}'
  const text = shown((log) => {
    log.info({ method: 'POST', path: invisible, status: 400, ms: 1 }, invisible)
    log.error({ err: new Error(invisible), word: invisible }, 'a request failed')
  })
  const escaped = String.raw`\u001b[2J\u0007\r\u007f\u009b\u2028\u202e\u2066\u200b\udb40\udc41`
  expect(text).toContain(`POST ${escaped} 400 in 1 ms, ${escaped}`)
  expect(text).toContain(`Error: ${escaped}\n`)
  expect(text).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u)

  let json = ''
  openLog('info', { write: (line) => (json += line) }).info({ path: invisible })
  expect(json).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u)
  expect(JSON.parse(json)).toMatchObject({ path: invisible })
})
