/** Programs of a few lines that generate an image. */
export function examplesOf(origin: string): readonly { readonly title: string; readonly code: string }[] {
  return [
    {
      title: 'curl',
      code: `curl ${origin}/api/v1/imgGenerate \\
  -H "Authorization: Bearer $RANGOLI_TOKEN" \\
  --json '{"prompt":"A lotus at dawn"}' -o lotus.json`,
    },
    {
      title: 'fetch',
      code: `const headers = { Authorization: \`Bearer \${process.env.RANGOLI_TOKEN}\`, 'Content-Type': 'application/json' }
const body = JSON.stringify({ prompt: 'A lotus at dawn' })
const response = await fetch('${origin}/api/v1/imgGenerate', { method: 'POST', headers, body })`,
    },
    {
      title: 'rangoli-client',
      code: `import { createRangoliClient, generateImage } from 'rangoli-client'
const rangoli = createRangoliClient({ url: '${origin}', token: process.env.RANGOLI_TOKEN })
const { image } = await generateImage(rangoli, { prompt: 'A lotus at dawn' })`,
    },
    {
      title: 'openai',
      code: `import OpenAI from 'openai'
const openai = new OpenAI({ baseURL: '${origin}/v1', apiKey: process.env.RANGOLI_TOKEN })
const { data } = await openai.images.generate({ prompt: 'A lotus at dawn' })`,
    },
  ]
}

/** Program that follows a generation with `rangoli-client`. */
export function progressExample(origin: string): string {
  return `import { createRangoliClient, generateImage } from 'rangoli-client'

const rangoli = createRangoliClient({ url: '${origin}', token: process.env.RANGOLI_TOKEN })
const generation = generateImage(rangoli, { prompt: 'A lotus at dawn' })
for await (const event of generation) if (event.type === 'progress') console.log(event.progress)
const { image } = await generation`
}
