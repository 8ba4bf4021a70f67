import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

/** Folders and files of `server/` by floor, the highest first. */
const floors = readFileSync('docs/contributing/architecture.md', 'utf8')
  .split('\n## ')
  .find((section) => section.startsWith('Floors'))
  ?.split('\n')
  .flatMap((line) => /^\| [^|]+ \| ([^|]+) \|/.exec(line)?.[1] ?? [])
  .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name))
  .filter((names) => names.length > 0 && !names.includes('src/'))

function floorOf(file: string): number {
  const [, name] = file.split('/')
  const floor = floors?.findIndex((names) => names.includes(name)) ?? -1
  if (floor === -1) throw new Error(`${file} is on no floor.`)
  return floor
}

test('server folders import their own floor and lower ones only', () => {
  const files = readdirSync('server', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|mjs)$/.test(file) && !/\.(test|bench)\./.test(file))
    .map((file) => path.join('server', file))
  expect(files.length).toBeGreaterThan(200)
  const upward = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import)[ (]'(\.[^']+)'/g)]
      .map(([, specifier]) => path.join(path.dirname(file), specifier ?? ''))
      .filter((target) => target.startsWith('server/') && floorOf(target) < floorOf(file))
      .map((target) => `${file} imports ${target}`),
  )
  expect(upward).toEqual([])
})
