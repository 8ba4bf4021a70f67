import { expect, test } from 'vitest'
import { parseDraft } from './draft.ts'
import { defaultOptions } from './form-options.ts'

const image = {
  id: 'i1',
  prompt: 'A diya',
  state: 'succeeded',
  failure: null,
  photo: '/uploads/a/original.jpg',
  width: 64,
  height: 48,
  placeholder: '3OcRJYB4d3h/iIeHeEh3eIhw+j3A',
  engine: 'rangoli',
  model: '1',
  createdAt: '2026-11-20T12:00:00.000Z',
}
const options = { ...defaultOptions, size: '832x1216', seed: 7, count: 2 }
const failed = { ...image, id: 'i0', state: 'failed', photo: null }
const draft = { name: 'Asha', prompt: 'A diya', options, image, batch: [failed, image], awaited: ['i2'] }

test('returns a saved draft to the user who saved it only', () => {
  const saved = JSON.stringify({ ...draft, viewerId: 'asha' })
  expect(parseDraft(saved, 'asha')).toEqual(draft)
  expect(parseDraft(saved, 'ravi')).toBe(null)
})

test.each([
  [{}, []],
  [{ awaited: null }, []],
  [{ awaited: 'i2' }, ['i2']],
])('parses a draft of an earlier version with %o', (more, awaited) => {
  const saved = JSON.stringify({ viewerId: 'asha', name: 'Asha', prompt: '', image: null, ...more })
  const expected = { name: 'Asha', prompt: '', options: defaultOptions, image: null, batch: [], awaited }
  expect(parseDraft(saved, 'asha')).toEqual(expected)
})

test('replaces invalid options by their defaults', () => {
  const invalid = { engine: 7, size: '0x1', count: 9, seed: -1, strength: '1', references: [{}], mask: 1 }
  const saved = JSON.stringify({ ...draft, options: { ...invalid, model: 'a' }, viewerId: 'asha' })
  expect(parseDraft(saved, 'asha')?.options).toEqual({ ...defaultOptions, model: 'a' })
})

test.each([
  null,
  '',
  'not json',
  'null',
  '[]',
  '7',
  '{}',
  '{"viewerId":"asha"}',
  '{"viewerId":"asha","name":"Asha","prompt":7,"image":null}',
  '{"viewerId":"asha","name":"Asha","prompt":""}',
  '{"viewerId":"asha","name":"Asha","prompt":"","image":{}}',
  '{"viewerId":"asha","name":"Asha","prompt":"","image":{"state":"ready","id":"i1"}}',
])('rejects %s', (saved) => {
  expect(parseDraft(saved, 'asha')).toBe(null)
})
