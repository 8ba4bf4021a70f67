import { expect, test } from 'vitest'
import { parseDraft } from './draft.ts'

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
const draft = { name: 'Asha', prompt: 'A diya', image, awaited: 'i2' }

test('returns a saved draft to the user who saved it only', () => {
  const saved = JSON.stringify({ ...draft, viewerId: 'asha' })
  expect(parseDraft(saved, 'asha')).toEqual(draft)
  expect(parseDraft(saved, 'ravi')).toBe(null)
})

test('parses a draft without `awaited`', () => {
  const saved = JSON.stringify({ viewerId: 'asha', name: 'Asha', prompt: '', image: null })
  expect(parseDraft(saved, 'asha')).toEqual({ name: 'Asha', prompt: '', image: null, awaited: null })
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
