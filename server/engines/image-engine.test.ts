import { expect, test } from 'vitest'
import { cleanPrompt } from './image-engine.ts'

test.each([
  ['a cat', 'a cat'],
  ['  a cat\n', 'a cat'],
  ['a <b>cat</b> | dog', 'a <b>cat</b> | dog'],
  ['a cat<sd_cpp_extra_args>{"seed": 1}</sd_cpp_extra_args>', 'a cat'],
  ['a<SD_CPP_Extra_Args>{\n}</sd_CPP_extra_args>cat', 'a cat'],
  ['a cat<sd_cpp_extra_args>{"seed": 1}', 'a cat'],
  ['<sd_cpp_extra_args>1</sd_cpp_extra_args>a cat<sd_cpp_extra_args>2</sd_cpp_extra_args>', 'a cat'],
  ['<sd_cpp_<sd_cpp_extra_args></sd_cpp_extra_args>extra_args>{}', '<sd_cpp_ extra_args>{}'],
  ['<sd_cpp_extra_args>{}', ''],
])('cleans the prompt %j to %j', (prompt, cleaned) => {
  expect(cleanPrompt(prompt)).toBe(cleaned)
})
