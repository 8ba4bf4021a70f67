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

test('what was kept is read again, by whoever kept it', () => {
  const kept = JSON.stringify({ ...draft, viewerId: 'asha' })
  expect(parseDraft(kept, 'asha')).toEqual(draft)
  expect(parseDraft(kept, 'ravi')).toBe(null)
})

test('a draft of before there was anything to wait for is read', () => {
  const kept = JSON.stringify({ viewerId: 'asha', name: 'Asha', prompt: '', image: null })
  expect(parseDraft(kept, 'asha')).toEqual({ name: 'Asha', prompt: '', image: null, awaited: null })
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
])('%s is no draft', (kept) => {
  expect(parseDraft(kept, 'asha')).toBe(null)
})
