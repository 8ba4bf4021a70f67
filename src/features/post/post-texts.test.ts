import { expect, test } from 'vitest'
import { loadI18n } from '../../i18n/messages.ts'
import { alternativeText } from './post-texts.ts'

test('describes an image by its prompt, or by its author without a prompt', async () => {
  const i18n = await loadI18n('en')
  expect(alternativeText({ prompt: ' A diya on a river ', name: 'Asha' }, i18n)).toBe('A diya on a river')
  expect(alternativeText({ prompt: '  ', name: 'Asha' }, i18n)).toBe('Image by Asha')
})
