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

/** Captures whether only types are imported, and the specifier of a statement or of a call. */
const importStatement = /^(?:import|export) (type )?[^'"]*?from '(\.[^']+)'|import\('(\.[^']+)'\)/gm

/** Position of a file: its floor, and its folder within the floor. */
function positionOf(file: string) {
  const [, name] = file.split('/')
  const floor = floors?.findIndex((names) => names.includes(name)) ?? -1
  if (floor === -1) throw new Error(`${file} is on no floor.`)
  return { floor, folder: floors?.[floor]?.indexOf(name) ?? 0 }
}

test('server folders import their own floor and lower ones only, and values in one direction', () => {
  const files = readdirSync('server', { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|mjs)$/.test(file) && !/\.(test|bench)\.|node_modules/.test(file))
    .map((file) => path.join('server', file))
  expect(files.length).toBeGreaterThan(200)
  const upward = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(importStatement)].flatMap(([, type, statement, dynamic]) => {
      const target = path.join(path.dirname(file), statement ?? dynamic ?? '')
      if (!target.startsWith('server/')) return []
      const [from, to] = [positionOf(file), positionOf(target)]
      const isUpward = to.floor < from.floor || (!type && to.floor === from.floor && to.folder < from.folder)
      return isUpward ? `${file} imports ${target}` : []
    }),
  )
  expect(upward).toEqual([])
})
