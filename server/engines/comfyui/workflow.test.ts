import { describe, expect, test } from 'vitest'
import { findInputs } from './workflow-inputs.ts'
import { WorkflowProgress } from './job-feed.ts'
import { builtInWorkflow, fillWorkflow, findPlaceholderIssues } from './workflow.ts'

const encode = (text: string) => ({ class_type: 'CLIPTextEncode', inputs: { text } })

describe('findPlaceholderIssues', () => {
  test.each(['text', 'image', 'mask'] as const)('accepts the built-in workflow for %s', (variant) => {
    expect(findPlaceholderIssues(builtInWorkflow(variant, 'rangoli'))).toEqual([])
  })

  test('accepts text with percent signs, and the placeholders of file names', () => {
    const workflow = {
      1: encode('%prompt%'),
      2: encode('100% wool, 50% silk'),
      3: { class_type: 'SaveImage', inputs: { filename_prefix: '%width%x%height%', images: ['1', 0] } },
    }
    expect(findPlaceholderIssues(workflow)).toEqual([])
  })

  test.each([
    [{ 1: encode('a cat') }, "has no %prompt%. Write it where the workflow has the prompt's text."],
    [
      { 1: encode('%prompt%'), 2: encode('best quality, %prompt%') },
      'has %prompt% between other text in text of node 2 (CLIPTextEncode). Make it the whole value.',
    ],
    [
      { 1: encode('%prompt%'), 2: { class_type: 'LoadImageMask', inputs: { image: '%mask%' } } },
      'has %mask%, but no %image%. Add that.',
    ],
  ])('finds a mistake %#', (workflow, issue) => {
    expect(findPlaceholderIssues(workflow)).toEqual([issue])
  })

  test('names an unknown placeholder and the known ones', () => {
    const [issue, ...others] = findPlaceholderIssues({ 1: encode('%prompt%'), 2: encode('%style%') })
    expect(issue).toMatch(
      /^has the unknown placeholder %style% in text of node 2 \(CLIPTextEncode\)\. Known ones are %prompt%, .*%mask%\.$/,
    )
    expect(others).toEqual([])
  })
})

describe('findInputs', () => {
  const sampler = { seed: '%seed%', steps: 4, denoise: 1, model: ['1', 0] }
  test.each([
    ['input:Steps', 'a KSampler with more than one field, or none: name one of steps, denoise.'],
    ['input:Steps:count', 'a KSampler whose field count cannot be set. It has steps, denoise.'],
    ['input:Model:model', 'a KSampler whose field model cannot be set. It has steps, denoise.'],
    ['input:Seed:seed', 'a KSampler whose field seed cannot be set. It has steps, denoise.'],
    ['input:Steps:steps 9..1', 'whose first bound is not less than the second.'],
    ['input:Words:steps', 'but another node has this name, too.'],
    ['input:', 'which is not input:NAME, input:NAME:FIELD, or one of these with bounds such as 0..1.'],
  ])('finds the mistake in %s', (title, issue) => {
    const { issues } = findInputs({
      1: { ...encode('any'), _meta: { title: 'input:Words' } },
      2: { class_type: 'KSampler', inputs: sampler, _meta: { title } },
      3: { ...encode('any'), _meta: { title: 'output:Words' } },
    })
    expect(issues).toEqual([`has the title “${title}” on node 2, ${issue}`])
  })
})

test('fills placeholders under all of their names, and leaves links and other values', () => {
  const rest = { g: ['1', 0], h: 3, i: '%unknown%' }
  const names = { a: '%cfg_scale%', b: '%scale%', c: '%sampler%', d: '%sampler_name%', e: '%denoise%' }
  const node = (inputs: object) => ({
    class_type: 'Any',
    inputs: { ...inputs, ...rest },
    _meta: { title: 'Any' },
  })
  expect(fillWorkflow({ 1: node(names) }, { cfgScale: 4.5, sampler: 'euler', strength: 0.5 })).toEqual({
    1: node({ a: 4.5, b: 4.5, c: 'euler', d: 'euler', e: 0.5 }),
  })
})

describe('WorkflowProgress', () => {
  const workflow = {
    1: { class_type: 'CheckpointLoaderSimple', inputs: {} },
    2: { class_type: 'KSampler', inputs: { latent_image: ['1', 0] } },
    3: { class_type: 'SaveImage', inputs: {} },
  }

  test('counts samplers, and one as done when the next node starts', () => {
    const progress = new WorkflowProgress(workflow)
    progress.start('1')
    expect(progress.value).toBe(0)
    progress.start('2')
    expect(progress.value).toBe(0)
    progress.advance('2', 0.5)
    expect(progress.value).toBe(0.5)
    progress.start('3')
    expect(progress.value).toBe(0.99)
  })

  test('never decreases, and ignores impossible values and unknown nodes', () => {
    const progress = new WorkflowProgress(workflow)
    progress.advance('2', 0.5)
    for (const fraction of [0.1, 2, -1, Number.NaN, Infinity]) progress.advance('2', fraction)
    progress.advance('unknown', 1)
    expect(progress.value).toBe(0.5)
  })
})
