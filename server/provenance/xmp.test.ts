import { expect, it } from 'vitest'
import { buildXmp } from './xmp.ts'

const provenance = {
  creatorTool: 'Rangoli',
  description: 'A pattern.',
  digitalSourceType: 'algorithmicMedia',
  engine: 'rangoli',
  model: 'rangoli-1',
}

it('names tool, source type, engine and model', () => {
  const xmp = buildXmp(provenance)
  expect(xmp).toContain('xmp:CreatorTool="Rangoli"')
  expect(xmp).toContain('DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia"')
  expect(xmp).toContain('rangoli:Engine="rangoli"')
  expect(xmp).toContain('<rdf:li xml:lang="x-default">A pattern.</rdf:li>')
})

it('escapes what it is given', () => {
  expect(buildXmp({ ...provenance, model: 'a"<b>&c' })).toContain('rangoli:Model="a&quot;&lt;b&gt;&amp;c"')
})
