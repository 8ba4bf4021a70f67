import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import sharp from 'sharp'
import { compose } from '../server/engines/rangoli/compose.ts'
import { describeDrawing, readPrompt } from '../server/engines/rangoli/interpret-prompt.ts'
import { median, type Print, timed } from './measure.ts'

const folder = path.resolve(import.meta.dirname, '../node_modules/.cache/rangoli-bench/contact-sheets')
const prompts = path.join(import.meta.dirname, 'prompts/contact-sheet.txt')

const side = 320
const labelHeight = 24
const columns = 5
const perSheet = 20

/** Draws 200 prompts with the embedded engine, each with the layout and the words that are not drawn, to be looked at. */
export async function run(print: Print): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const lines = readFileSync(prompts, 'utf8').trimEnd().split('\n')
  const times: number[] = []
  for (let first = 0; first < lines.length; first += perSheet) {
    const tiles = []
    for (const prompt of lines.slice(first, first + perSheet)) {
      const reading = await readPrompt(prompt)
      let svg = ''
      times.push(await timed(async () => (svg = compose(reading.design))))
      const { notDrawn } = describeDrawing(reading, svg)
      tiles.push(await tile(svg, [prompt, reading.design.layout, ...notDrawn.map((word) => `−${word}`)]))
    }
    const name = path.join(folder, `${String(first + 1).padStart(3, '0')}.png`)
    await sharp(tiles, { join: { across: columns, shim: 4, background: '#fff' } })
      .png()
      .toFile(name)
  }
  print(
    `contact-sheet: ${lines.length} prompts, composed in ${median(times).toFixed(1)} ms (median): ${folder}`,
  )
}

async function tile(svg: string, label: readonly string[]): Promise<Buffer> {
  const text = { text: label.join(' · '), width: side, height: labelHeight, rgba: true }
  return sharp({ create: { width: side, height: side + labelHeight, channels: 3, background: '#fff' } })
    .composite([
      { input: await sharp(Buffer.from(svg)).resize(side, side).png().toBuffer(), left: 0, top: 0 },
      { input: await sharp({ text }).png().toBuffer(), left: 0, top: side },
    ])
    .png()
    .toBuffer()
}
