import type { MessageDescriptor } from '@lingui/core'
import { expect, test } from 'vitest'
import type { Engine } from '../../../../shared/engines.ts'
import type { Recipe } from '../../../../shared/images.ts'
import { defaultOptions } from '../form-options.ts'
import { applyImported, applyRecipe } from './apply-settings.ts'
import type { ImportedSettings } from './parse-settings.ts'
import { loadI18n } from '../../../i18n/messages.ts'

const i18n = await loadI18n('en')

const inEnglish = (names: readonly MessageDescriptor[]) => names.map((name) => i18n._(name))

const full: Engine = {
  id: 'full',
  kind: 'automatic1111',
  label: 'Full',
  models: ['sd_xl_base_1.0.safetensors [31e35c80fc]', 'other'],
  capabilities: {
    sizes: ['1024x1024'],
    customSizes: { min: 64, max: 2048, step: 8 },
    seed: true,
    negativePrompt: true,
    count: 4,
    referenceImages: 1,
    strength: true,
    mask: false,
    progress: true,
    previews: true,
  },
  isAvailable: true,
}
const bare: Engine = {
  ...full,
  id: 'bare',
  label: 'Bare',
  models: [],
  capabilities: {
    ...full.capabilities,
    sizes: [],
    customSizes: null,
    seed: false,
    negativePrompt: false,
    referenceImages: 0,
  },
}

const imported: ImportedSettings = {
  format: 'AUTOMATIC1111',
  prompt: 'a lighthouse',
  negativePrompt: 'blurry',
  width: 832,
  height: 1216,
  seed: 7,
  model: 'sd_xl_base_1.0',
  others: ['steps'],
}

test('takes the settings of a file that the engine has', () => {
  const options = { ...defaultOptions, count: 3, strength: 0.5 }
  const applied = applyImported(imported, options, [full])
  expect(applied.prompt).toBe('a lighthouse')
  expect(applied.options).toEqual({
    ...defaultOptions,
    count: 3,
    model: full.models[0],
    size: '832x1216',
    seed: 7,
    negativePrompt: 'blurry',
  })
  expect(inEnglish(applied.taken)).toEqual([
    'prompt',
    'negative prompt',
    'size 832 × 1216',
    'seed 7',
    'model sd_xl_base_1.0',
  ])
  expect(inEnglish(applied.left)).toEqual(['steps'])
})

test('names what the engine does not have', () => {
  const { taken, left } = applyImported(imported, { ...defaultOptions, engine: 'bare' }, [full, bare])
  expect(inEnglish(taken)).toEqual(['prompt'])
  expect(inEnglish(left)).toEqual([
    'negative prompt',
    'size 832 × 1216',
    'seed 7',
    'model sd_xl_base_1.0',
    'steps',
  ])
})

test.each([
  [{ width: 4096, seed: 2 ** 33 }, ['size 4096 × 1216', 'seed 8589934592', 'steps']],
  // A seed of 64 bits has more digits than a number holds.
  [{ seed: 2 ** 64, others: [] }, ['seed']],
])('leaves out what is out of range: %o', (more, names) => {
  const { options, left } = applyImported({ ...imported, ...more }, defaultOptions, [full])
  expect(options.seed).toBe(null)
  expect(inEnglish(left)).toEqual(names)
})

test('prefers a model with exactly the same name', () => {
  const model = 'sdxl/detail.safetensors'
  const engine = { ...full, models: ['sd15/detail.safetensors', model] }
  expect(applyImported({ ...imported, model }, defaultOptions, [engine]).options.model).toBe(model)
})

const recipe: Recipe = {
  engine: 'full',
  engineLabel: 'Full',
  model: 'other',
  prompt: 'a kite',
  negativePrompt: '',
  size: '512x512',
  seed: 3,
  steps: 20,
  sampler: null,
  scheduler: null,
  cfgScale: null,
  strength: 0.4,
  referenceImageIds: ['r1'],
  remixOf: null,
  drawnFrom: null,
  notDrawn: null,
}
const image = { id: 'r1', photo: '/uploads/r1/original.jpg', placeholder: 'abcdefgh' }

test('takes the engine and the reference images of a recipe', () => {
  const { options, taken, left } = applyRecipe(recipe, defaultOptions, [bare, full], [image])
  expect(options).toEqual({
    ...defaultOptions,
    engine: 'full',
    model: 'other',
    size: '512x512',
    seed: 3,
    references: [image],
    strength: 0.4,
  })
  expect(inEnglish(taken)).toEqual([
    'prompt',
    'size 512 × 512',
    'seed 3',
    'model other',
    'reference image',
    'strength',
  ])
  expect(inEnglish(left)).toEqual([])
})

test('keeps the chosen engine if that of the recipe is gone, and names deleted reference images', () => {
  const { options, left } = applyRecipe(recipe, defaultOptions, [bare], [])
  expect(options.engine).toBe('bare')
  expect(inEnglish(left)).toContain('engine Full')
  expect(inEnglish(left)).toContain('reference images')
})
