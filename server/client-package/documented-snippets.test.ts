import { readFileSync } from 'node:fs'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeFolder, tempFolder } from '../../test/support/folder.ts'
import { shareTestServer } from '../../test/support/test-server.ts'
import { fillGallery, numberedPosts } from '../../test/support/posts.ts'
import {
  compileWithMinimumTypeScript,
  installPackage,
  startProcess,
} from '../../test/support/client-package/project.ts'

const root = path.resolve(import.meta.dirname, '../..')
const token = 'a-token-of-enough-letters'
const server = shareTestServer({ env: { API_TOKEN: token } })
const env = { RANGOLI_TOKEN: token, API_TOKEN: token }

beforeAll(async () => {
  await fillGallery(server(), numberedPosts(3, 'A lotus'))
})

/** Returns the code blocks of a page in one language. */
function snippets(file: string, language: 'ts' | 'sh') {
  const page = readFileSync(path.join(root, file), 'utf8')
  return [...page.matchAll(/^```(\w+)\n([^]+?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , code = ''], index) => ({ file, number: index + 1, code }))
}

const local = 'http://localhost:3000'
const atServer = (code: string) => code.replaceAll(local, server().url)

/** Program that type-checks only if the package has its types, and no `any` in their place. */
const misuse = `
import { createRangoliClient, generateImage, isRangoliError, type Image } from 'rangoli-client'

const rangoli = createRangoliClient({ url: 'http://localhost' })
export async function neverCalled(image: Image, error: unknown) {
  // @ts-expect-error: the prompt is missing
  await generateImage(rangoli, { count: 2 })
  // @ts-expect-error: unknown procedure
  await rangoli.posts.paint.mutate()
  // @ts-expect-error: not a state
  image.state === 'painted'
  const { posts } = await rangoli.posts.list.query({ search: 'x' })
  // @ts-expect-error: a name is a string
  posts[0]?.name satisfies number
  // @ts-expect-error: not a reason
  if (isRangoliError(error)) error.data.reason === 'no_reason'
}
`

describe('documented TypeScript', () => {
  const files = ['docs/api.md', 'docs/rest.md', 'server/client-package/README.md']
  const examples = files.flatMap((file) => snippets(file, 'ts'))
  const nameOf = (index: number) => `snippet-${index}`
  let folder: string
  let errors: string

  beforeAll(async () => {
    folder = await makeFolder()
    await installPackage(folder)
    await mkdir(path.join(folder, 'node_modules/@types'))
    await symlink(path.join(root, 'node_modules/@types/node'), path.join(folder, 'node_modules/@types/node'))
    const sources = examples.map((_, index) => `${nameOf(index)}.ts`)
    await Promise.all(
      examples.map(({ code }, index) => writeFile(path.join(folder, `${nameOf(index)}.ts`), atServer(code))),
    )
    await writeFile(path.join(folder, 'misuse.ts'), misuse)
    errors = compileWithMinimumTypeScript(folder, 'misuse.ts', ...sources)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('type-checks, and its misuse does not', () => {
    expect(new Set(examples.map(({ file }) => file)).size).toBe(files.length)
    expect(examples.length).toBeGreaterThan(6)
    expect(errors).toBe('')
  })

  test.each(examples.map(({ file, number }, index) => ({ file, number, index })))(
    'runs: $file $number',
    async ({ index }) => {
      const { code, stderr } = await startProcess(process.execPath, [`${nameOf(index)}.js`], folder, env)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    },
  )
})

test.each([...snippets('docs/api.md', 'sh'), ...snippets('docs/rest.md', 'sh')])(
  'runs the curl commands of $file $number',
  async ({ code }) => {
    const ended = await startProcess('sh', ['-euc', atServer(code)], await tempFolder(), env)
    expect(ended.code).toBe(0)
  },
)
