import { expect, test } from 'vitest'
import { createInstantEngine } from '../../../test/support/engine.ts'
import { imageRows } from '../../../test/support/generations.ts'
import { shareTestServer, startTestServer } from '../../../test/support/test-server.ts'
import { promptsOf } from './generation-options.ts'

test.each([
  ['{a|the} {cat|dog}', ['a cat', 'a dog', 'the cat', 'the dog']],
  ['a {|very }big kite', ['a big kite', 'a very big kite']],
  ['a {red} kite | moon', ['a red kite | moon']],
  [String.raw`{a\|b|\{c\}} \{d\|e\} \n`, [String.raw`a|b {d|e} \n`, String.raw`{c} {d|e} \n`]],
  ['{e|a|e}\u0301{|}', ['é', 'á']],
  ['{é|e\u0301}', ['é']],
])('%s has the combinations %j', (prompt, prompts) => {
  expect(promptsOf({ prompt, expand: true })).toEqual(prompts)
})

test.each([
  ['{1|2}{3|4}{5|6}', 1, 'The choices in the prompt ask for more than 4 images.'],
  ['{1|2|3}', 2, 'The choices in the prompt ask for more than 4 images.'],
  ['{a|{b|c}}', 1, 'The prompt has a "{"'],
  [String.raw`{a|b\}`, 1, 'The prompt has a "{"'],
  ['a|b}', 1, 'The prompt has a "}"'],
  ['{lotus|}', 1, 'A combination of the choices is empty.'],
])('%s for %i images each is rejected', (prompt, count, message) => {
  expect(() => promptsOf({ prompt, expand: true, count })).toThrow(message)
})

test('reads thousands of braces and backslashes at once', () => {
  for (const part of ['{', '\\{', '\\', '{a\\'])
    expect(() => promptsOf({ prompt: `{${part.repeat(4_000)}`, expand: true })).toThrow('has a "{"')
})

const server = shareTestServer({ engine: createInstantEngine() })

test('an expanded prompt is an image of each combination, whose recipe has its words', async () => {
  const asha = await server().signUp()
  const generate = (input: object) =>
    asha.trpc.images.generate.mutate({ prompt: 'a {red|blue} kite', seed: 7, ...input })
  const { images } = await generate({ expand: true, count: 2, requestKey: 'kites' })
  expect(images.map(({ recipe }) => [recipe?.prompt, recipe?.seed])).toEqual([
    ['a red kite', 7],
    ['a red kite', 8],
    ['a blue kite', 7],
    ['a blue kite', 8],
  ])
  expect((await asha.trpc.images.quota.query()).used).toBe(4)

  const again = await generate({ expand: true, count: 2, requestKey: 'kites' })
  expect(again.images.map(({ id }) => id)).toEqual(images.map(({ id }) => id))
  const other = { prompt: 'a {blue|red} kite', expand: true, count: 2, requestKey: 'kites' }
  await expect(generate(other)).rejects.toThrow('This request key was used with other settings.')
  await expect(generate({ requestKey: 'kites' })).rejects.toThrow('was used with another prompt.')

  expect((await generate({})).images).toMatchObject([{ recipe: { prompt: 'a {red|blue} kite' } }])
})

test('combinations beyond the daily limit are rejected as a whole', async () => {
  const own = await startTestServer({ engine: createInstantEngine(), env: { DAILY_IMAGE_LIMIT: '3' } })
  const asha = await own.signUp()
  const send = (prompt: string) => asha.trpc.images.generate.mutate({ prompt, expand: true })
  await expect(send('{a|b|c|d}')).rejects.toMatchObject({ data: { reason: 'daily_limit' } })
  await expect(send('{a|b|c|d|e}')).rejects.toMatchObject({ data: { reason: 'bad_input' } })
  expect(await imageRows(own)).toEqual([])
})
