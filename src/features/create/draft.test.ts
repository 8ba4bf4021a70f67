import { beforeEach, expect, test, vi } from 'vitest'
import { emptyDraft, readDraft, saveDraft } from './draft.ts'

const draft = { ...emptyDraft, prompt: 'A diya', awaited: [['i1']] }
const stored = new Map<string, string>()

beforeEach(() => {
  stored.clear()
  const sessionStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  }
  vi.stubGlobal('window', { sessionStorage })
  return () => vi.unstubAllGlobals()
})

test('returns a saved draft to the user who saved it only', () => {
  saveDraft(draft, 'asha')
  expect(readDraft('asha')).toMatchObject(draft)
  expect(readDraft('ravi')).toEqual(emptyDraft)
})

test('ignores a draft that another version has saved', () => {
  stored.set('draft', JSON.stringify({ ...draft, viewerId: 'asha', awaited: 'i1' }))
  expect(readDraft('asha')).toEqual(emptyDraft)
})
