import { expect, test } from 'vitest'
import { ConfigError, parseConfig } from './config.ts'

test.each([
  ['hello@example.org', 'mailto:hello@example.org'],
  [' asha.rao+site@pictures.example.org ', 'mailto:asha.rao+site@pictures.example.org'],
  ['https://example.org/contact', 'https://example.org/contact'],
  ['http://example.org', 'http://example.org/'],
])('CONTACT=%s leads to %s', (CONTACT, href) => {
  expect(parseConfig({ CONTACT }, '/srv').contact).toBe(href)
})

test('nobody is reached where nothing is set', () => {
  expect(parseConfig({}, '/srv').contact).toBeNull()
})

test.each([
  'Asha',
  'asha@localhost',
  'javascript:alert(1)',
  'data:text/html,hi',
  'a@b.co?bcc=x',
  'a b@c.de',
  '@example.org',
])('CONTACT=%s is refused', (CONTACT) => {
  expect(() => parseConfig({ CONTACT }, '/srv')).toThrow(
    new ConfigError(['CONTACT: must be an e-mail address or a web address, such as hello@example.org.']),
  )
})
