import type { MessageDescriptor } from '@lingui/core'
import { describe, expect, test } from 'vitest'
import type { Engine, EngineCapabilities, ImageSize } from '../../../shared/engines.ts'
import type { Recipe } from '../../../shared/images.ts'
import type { Style } from '../../../shared/styles.ts'
import {
  defaultOptions,
  describeOptions,
  engineFor,
  groupByRatio,
  optionInputs,
  parseSeed,
  takesReference,
  type FormOptions,
} from './form-options.ts'
import { applyImported, applyRecipe } from './import-settings/apply-settings.ts'
import type { ImportedSettings } from '../../../shared/embedded-settings.ts'
import { loadI18n } from '../../i18n/messages.ts'
import { promptOnly } from '../../../server/engines/image-engine.ts'

const i18n = await loadI18n('en')

function engineOf(id: string, capabilities: Partial<EngineCapabilities>, more: Partial<Engine> = {}): Engine {
  return {
    id,
    kind: 'automatic1111',
    label: id,
    models: ['one', 'two'],
    capabilities: { ...promptOnly, count: 1, ...capabilities },
    isAvailable: true,
    ...more,
  }
}

const full = engineOf('Full', {
  sizes: ['1024x1024', '832x1216'],
  customSizes: { min: 64, max: 2048, step: 8 },
  seed: true,
  negativePrompt: true,
  referenceImages: 1,
  strength: true,
  mask: true,
  loras: ['ink', 'paper cut'],
})
const bare = engineOf('Bare', {})
const down = engineOf('Down', {}, { isAvailable: false })

const reference = { id: 'r1', photo: '/uploads/r1/original.jpg', placeholder: 'abcdefgh' }
const chosen: FormOptions = {
  style: null,
  engine: 'Full',
  model: 'two',
  size: '832x1216',
  count: 2,
  seed: 7,
  negativePrompt: ' blurry ',
  references: [reference, { ...reference, id: 'r2' }],
  mask: reference,
  strength: 0.5,
  parameters: {},
  loras: [
    { name: 'ink', weight: 0.8 },
    { name: 'gone', weight: 1 },
  ],
  remix: { ...reference, id: 'p1', name: 'Ravi', prompt: 'A kite', isSensitive: false },
}

const style: Style = {
  id: 's1',
  name: 'Dusk',
  template: '{prompt} at dusk',
  negativePrompt: 'text',
  engine: null,
  size: '832x1216',
  loras: [],
  isForModels: true,
  coverUrl: '/cover.webp',
  isOfSite: true,
}

const defaults = {
  styleId: null,
  engine: null,
  model: null,
  size: null,
  count: 1,
  seed: null,
  negativePrompt: '',
  referenceImageIds: [],
  maskImageId: null,
  strength: null,
  parameters: null,
  loras: null,
  remixOf: null,
}

test('sends a style that fits, with its size unless one is chosen, and the choices of a prompt', () => {
  const inputs = optionInputs({ ...defaultOptions, style, count: 3 }, [full], '{red|blue} fox')
  expect(inputs).toMatchObject({ styleId: 's1', size: '832x1216', count: 1, expand: true })
  expect(optionInputs({ ...defaultOptions, style, size: '64x64' }, [full])).toMatchObject({ size: '64x64' })
  const embedded = { ...full, kind: 'rangoli' as const }
  expect(optionInputs({ ...defaultOptions, style, count: 3 }, [embedded], 'a {fox}')).toEqual({
    ...defaults,
    count: 3,
  })
})

test.each([
  ['the defaults for the first engine', defaultOptions, [full, bare], defaults],
  ['the defaults while the engines are unknown', chosen, [], defaults],
  [
    'what the chosen engine takes',
    chosen,
    [full, bare],
    {
      ...defaults,
      model: 'two',
      size: '832x1216',
      count: 2,
      seed: 7,
      negativePrompt: 'blurry',
      referenceImageIds: ['r1'],
      maskImageId: 'r1',
      strength: 0.5,
      loras: [{ name: 'ink', weight: 0.8 }],
      remixOf: 'p1',
    },
  ],
  [
    'not what another engine takes',
    { ...chosen, engine: 'Bare', model: 'three' },
    [full, bare],
    { ...defaults, engine: 'Bare', count: 2, remixOf: 'p1' },
  ],
])('sends %s', (_, options, engines, inputs) => {
  expect(optionInputs(options, engines)).toEqual(inputs)
})

test('sends what the chosen model takes', () => {
  const painter = {
    capabilities: bare.capabilities,
    parameters: [
      { name: 'aspect_ratio', type: 'enum', values: ['1:1', '16:9'] },
      { name: 'guidance', type: 'range', min: 1, max: 20 },
    ],
    price: null,
  } as const
  const router = engineOf('Router', { seed: true }, { modelDetails: { one: painter } })
  const parameters = { aspect_ratio: '16:9', guidance: 21, resolution: '2K' }
  const options = { ...defaultOptions, seed: 7, parameters }
  expect(optionInputs(options, [router])).toEqual({ ...defaults, parameters: { aspect_ratio: '16:9' } })
  expect(describeOptions(i18n, options, [router])).toBe('aspect ratio 16:9')
  expect(optionInputs({ ...options, model: 'two' }, [router])).toEqual({ ...defaults, model: 'two', seed: 7 })
})

test('offers an image as reference where the chosen model takes one more', () => {
  const modelDetails = { one: { capabilities: promptOnly, parameters: [], price: null } }
  const router = engineOf('Router', { referenceImages: 1 }, { modelDetails })
  const options = { ...defaultOptions, model: 'two' }
  const forms = [defaultOptions, options, { ...options, references: [reference] }]
  expect(forms.map((form) => takesReference(form, router))).toEqual([false, true, false])
})

test('chooses the first available engine unless another is chosen', () => {
  expect(engineFor(defaultOptions, [down, bare, full])?.id).toBe('Bare')
  expect(engineFor({ ...defaultOptions, engine: 'Gone' }, [down, bare])?.id).toBe('Bare')
  expect(engineFor({ ...defaultOptions, engine: 'Down' }, [down, bare])?.id).toBe('Down')
  expect(engineFor(defaultOptions, [down])?.id).toBe('Down')
  expect(engineFor(defaultOptions, [])).toBe(null)
})

test('describes what differs from the defaults', () => {
  expect(describeOptions(i18n, defaultOptions, [full, bare])).toBe('')
  expect(describeOptions(i18n, { ...defaultOptions, size: '1024x1024', model: 'one' }, [full])).toBe('')
  expect(describeOptions(i18n, chosen, [bare, full])).toBe(
    'Full · two · 832 × 1216 · seed 7 · 2 images · negative prompt · 1 reference image · mask · strength 0.50 · ink 0.8',
  )
})

test.each<[ImageSize, ImageSize | null]>([
  ['1000x1000', '1000x1000'],
  ['1001x1000', null],
  ['4096x1024', null],
])('takes the custom size %s as %s', (size, sent) => {
  expect(optionInputs({ ...defaultOptions, size }, [full]).size).toBe(sent)
})

test.each([
  ['', null],
  ['-1', null],
  ['1.5', null],
  [' 7 ', 7],
  ['0', 0],
  ['99999999999', 4_294_967_295],
])('parses the seed "%s" as %s', (text, seed) => {
  expect(parseSeed(text)).toBe(seed)
})

test('groups sizes by the nearest common ratio', () => {
  const sizes = ['1024x1024', '832x1216', '1216x832', '896x1152', '768x1344', '512x512', '512x768'] as const
  expect(groupByRatio(sizes)).toEqual([
    { ratio: '1:1', sizes: ['1024x1024', '512x512'] },
    { ratio: '2:3', sizes: ['832x1216', '512x768'] },
    { ratio: '3:2', sizes: ['1216x832'] },
    { ratio: '3:4', sizes: ['896x1152'] },
    { ratio: '9:16', sizes: ['768x1344'] },
  ])
})

describe('settings of another image', () => {
  const inEnglish = (names: readonly MessageDescriptor[]) => names.map((name) => i18n._(name))
  const sdxl = { ...full, models: ['sd_xl_base_1.0.safetensors [31e35c80fc]', 'other'] }
  const imported: ImportedSettings = {
    format: 'AUTOMATIC1111',
    prompt: 'a lighthouse',
    negativePrompt: 'blurry',
    width: 832,
    height: 1216,
    seed: 7,
    model: 'sd_xl_base_1.0',
    loras: [
      { name: 'styles/Paper Cut.safetensors', weight: 11 },
      { name: 'ink', weight: 0.8 },
    ],
    others: ['steps'],
  }
  const names = ['negative prompt', 'size 832 × 1216', 'seed 7', 'model sd_xl_base_1.0', 'LoRAs']

  test('takes those of a file that the engine has, and names the others', () => {
    const options = { ...defaultOptions, count: 3, strength: 0.5 }
    const applied = applyImported(imported, options, [sdxl])
    expect(applied.prompt).toBe('a lighthouse')
    expect(applied.options).toEqual({
      ...defaultOptions,
      count: 3,
      model: sdxl.models[0],
      size: '832x1216',
      seed: 7,
      negativePrompt: 'blurry',
      loras: [
        { name: 'paper cut', weight: 10 },
        { name: 'ink', weight: 0.8 },
      ],
    })
    expect([inEnglish(applied.taken), inEnglish(applied.left)]).toEqual([['prompt', ...names], ['steps']])
    const { taken, left } = applyImported(imported, { ...defaultOptions, engine: 'Bare' }, [sdxl, bare])
    expect([inEnglish(taken), inEnglish(left)]).toEqual([['prompt'], [...names, 'steps']])
  })

  test.each([
    [{ width: 4096, seed: 2 ** 33 }, ['size 4096 × 1216', 'seed 8589934592', 'steps']],
    // A seed of 64 bits has more digits than a number holds.
    [{ seed: 2 ** 64, others: [] }, ['seed']],
  ])('leaves out what is out of range: %o', (more, out) => {
    const { options, left } = applyImported({ ...imported, ...more }, defaultOptions, [sdxl])
    expect(options.seed).toBe(null)
    expect(inEnglish(left)).toEqual(out)
  })

  test('prefers a model with exactly the same name', () => {
    const model = 'sdxl/detail.safetensors'
    const engine = { ...full, models: ['sd15/detail.safetensors', model] }
    expect(applyImported({ ...imported, model }, defaultOptions, [engine]).options.model).toBe(model)
  })

  const kite = {
    engine: 'Full',
    engineLabel: 'Full',
    model: '',
    prompt: 'a kite',
    negativePrompt: '',
    size: null,
    seed: null,
    strength: null,
    referenceImageIds: [],
  } as unknown as Recipe

  test('takes a style that is offered as it was, and otherwise its words', () => {
    const recipe = { ...kite, negativePrompt: 'people, text', style }
    const apply = (offered: readonly Style[]) => applyRecipe(recipe, defaultOptions, [full], [], offered)
    expect(apply([style])).toMatchObject({ prompt: 'a kite', options: { style, negativePrompt: 'people' } })
    for (const offered of [
      [],
      [{ ...style, template: '{prompt} at dawn' }],
      [{ ...style, engine: 'Bare' }],
    ]) {
      expect(apply(offered)).toMatchObject({
        prompt: 'a kite at dusk',
        options: { style: null, negativePrompt: 'people, text' },
      })
    }
  })

  test('takes the engine and the reference images of a recipe, and names those that are gone', () => {
    const sources = { referenceImageIds: ['r1'], maskImageId: 'm1' }
    const recipe: Recipe = { ...kite, model: 'two', size: '512x512', seed: 3, strength: 0.4, ...sources }
    const mask = { ...reference, id: 'm1' }
    const { options, taken, left } = applyRecipe(recipe, defaultOptions, [bare, full], [reference, mask])
    expect(options).toEqual({
      ...defaultOptions,
      engine: 'Full',
      model: 'two',
      size: '512x512',
      seed: 3,
      references: [reference],
      mask,
      strength: 0.4,
    })
    const all = ['prompt', 'size 512 × 512', 'seed 3', 'model two', 'reference image', 'mask', 'strength']
    expect([inEnglish(taken), inEnglish(left)]).toEqual([all, []])
    const gone = applyRecipe(recipe, defaultOptions, [bare], [mask])
    expect(gone.options).toMatchObject({ engine: 'Bare', mask: null })
    const missing = ['engine Full', 'reference images', 'mask']
    expect(inEnglish(gone.left)).toEqual(expect.arrayContaining(missing))
  })
})
