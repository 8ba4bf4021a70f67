import { existsSync } from 'node:fs'
import { appendFile, cp, mkdir, readdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { launch, makeFolder } from './support/server-process.ts'

const root = path.resolve(import.meta.dirname, '..')

/** Files that a build needs. */
const sources = [
  'package.json',
  'package-lock.json',
  'lingui.config.ts',
  'vite.config.ts',
  'tsconfig.base.json',
  'public',
  'shared',
  'server',
  'src',
  'docs/rest.md',
]

/** A checkout that was never built, as after `npm ci`, and an empty folder to start it from. */
async function freshCheckout() {
  const folder = await makeFolder()
  onTestFinished(folder.remove)
  const checkout = path.join(folder.path, 'checkout')
  const site = path.join(folder.path, 'site')
  await mkdir(checkout)
  await mkdir(site)
  await Promise.all(
    sources.map((name) => cp(path.join(root, name), path.join(checkout, name), { recursive: true })),
  )
  await symlink(path.join(root, 'node_modules'), path.join(checkout, 'node_modules'))
  const dist = path.join(checkout, 'dist')
  return {
    checkout,
    site,
    launch(args: readonly string[], env: Record<string, string> = {}) {
      const started = launch(site, args, env, path.join(checkout, 'server/launch.mjs'))
      onTestFinished(() => void started.child.kill('SIGKILL'))
      return started
    },
    /** Finished builds, and remains of interrupted ones. */
    built: async () => (existsSync(dist) ? readdir(dist) : []),
  }
}

describe('npm start in a checkout that was never built', () => {
  test('stops building on a signal, and leaves nothing behind', async () => {
    const fresh = await freshCheckout()
    const server = fresh.launch(['serve'])
    await expect.poll(fresh.built, { timeout: 30_000 }).toHaveLength(1)
    server.child.kill('SIGINT')
    expect(await server.finished).toEqual({
      code: null,
      signal: 'SIGINT',
      stdout: 'Building …\n',
      stderr: '',
    })
    expect(await fresh.built()).toEqual([])
    expect(await readdir(fresh.site)).toEqual([])
  })

  test('prints the error of a build that fails, and exits with 1', async () => {
    const fresh = await freshCheckout()
    await appendFile(path.join(fresh.checkout, 'src/main.tsx'), '\nconst = 5\n')
    const { code, stdout, stderr } = await fresh.launch(['serve']).finished
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'Building …\n' })
    expect(stderr).toMatch(/^The build failed:$/m)
    expect(stderr).toContain('src/main.tsx')
    expect(stderr).not.toContain('node:internal')
    expect(await fresh.built()).toEqual([])
  })

  test('names an invalid variable before it builds', async () => {
    const fresh = await freshCheckout()
    const { code, stdout, stderr } = await fresh.launch(['serve'], { PORT: 'three' }).finished
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^PORT: .*\n$/)
    expect(await fresh.built()).toEqual([])
  })
})
