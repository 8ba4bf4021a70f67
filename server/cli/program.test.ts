import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { runCommand } from '../../test/support/command.ts'
import { tempFolder } from '../../test/support/folder.ts'

test.each(['account', 'backup', 'doctor', 'import', 'restore', 'seed', 'serve', 'verify'])(
  '%s --help prints its usage and does nothing else',
  async (name) => {
    const folder = await tempFolder()
    const { printed, error } = await runCommand(folder, [name, '--help'])
    expect(error).toBeNull()
    const usage = name === 'serve' ? 'npm start\n' : `npm run ${name} -- `
    expect(printed.join('\n')).toMatch(new RegExp(`^Usage: ${usage}`))
    expect(await readdir(folder)).toEqual([])
  },
)

test.each([
  [['backup'], /^Missing required argument 'dir'/],
  [['backup', 'backups', '--keep', '0'], /--keep .* must be a whole number/],
  [['restore', 'backups'], /^The folder .* does not exist/],
  [['seed'], /^Required option '--posts <n>' not specified/],
  [['seed', '--posts', 'many'], /--posts .* must be a whole number/],
  [['doctor', 'everything'], /^Too many arguments for 'doctor'/],
  [['serve', '--port', '5'], /^Unknown option '--port'/],
  [['sevre'], /^Unknown command 'sevre' \(Did you mean serve\?\)/],
])('rejects the arguments %j with one line', async (args, sentence) => {
  const folder = await tempFolder()
  const inFolder = args.map((arg) => (arg === 'backups' ? path.join(folder, arg) : arg))
  const { error, printed, exitCode } = await runCommand(folder, inFolder)
  expect(error).toMatch(sentence)
  expect(error).not.toContain('\n')
  expect({ printed, exitCode }).toEqual({ printed: [], exitCode: 1 })
  expect(await readdir(folder)).toEqual([])
})

test('seed ends with one line when images take too much space', async () => {
  const env = { UPLOADS_MAX_BYTES: '1M' }
  const { error } = await runCommand(await tempFolder(), ['seed', '--posts', '9'], { env })
  expect(error).toMatch(/^Not all posts were added: UPLOADS_MAX_BYTES: [^\n]*already\.$/)
})
