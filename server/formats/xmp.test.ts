import { expect, test } from 'vitest'
import { imageXmp } from './xmp.ts'

test('names tool, source type, engine, model and description', () => {
  const xmp = imageXmp({ kind: 'rangoli', model: 'rangoli-2' })
  expect(xmp).toContain('xmp:CreatorTool="Rangoli"')
  expect(xmp).toContain('DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia"')
  expect(xmp).toContain('rangoli:Engine="rangoli"')
  expect(xmp).toContain('rangoli:Model="rangoli-2"')
  expect(xmp).toContain('<rdf:li xml:lang="x-default">A pattern drawn by an algorithm')
})

test('escapes the model', () => {
  expect(imageXmp({ kind: 'openai', model: 'a"<b>&c' })).toContain('rangoli:Model="a&quot;&lt;b&gt;&amp;c"')
})
