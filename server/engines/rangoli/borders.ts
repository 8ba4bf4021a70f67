import { inkAt } from './stage.ts'
import type { Stage } from './stage.ts'
import { around, dots, path, polygon, rect } from './svg.ts'
import type { Point } from './svg.ts'

export function linedBorder({ palette }: Stage): string {
  return (
    rect(-488, -488, 976, 976, { stroke: palette.line, width: 3 }) +
    rect(-476, -476, 952, 952, { stroke: palette.line, width: 1.4 })
  )
}

export function beadedBorder({ palette }: Stage): string {
  const points: Point[] = Array.from({ length: 41 }, (_, index) => [-480 + index * 24, -480])
  return (
    rect(-497, -497, 994, 994, { stroke: palette.line, width: 2 }) +
    rect(-464, -464, 928, 928, { stroke: palette.line, width: 2 }) +
    around(dots(points.slice(0, -1), 4, palette.line), 4)
  )
}

export function petalBorder({ palette }: Stage): string {
  const ink = inkAt(palette, 1)
  const half = 16
  const scallop = (x: number) =>
    path(`M${x - half} -484C${x - half} -456 ${x + half} -456 ${x + half} -484Z`, {
      fill: ink.fill.base,
      stroke: palette.line,
      width: 1.8,
    })
  const row = Array.from({ length: 29 }, (_, index) => scallop((index - 14) * half * 2)).join('')
  return (
    rect(-512, -512, 1024, 1024, { fill: ink.fill.deep }) +
    rect(-484, -484, 968, 968, { fill: palette.ground, stroke: palette.line, width: 2.4 }) +
    around(row, 4)
  )
}

export function toothedBorder({ palette }: Stage): string {
  const ink = inkAt(palette, 0)
  const teeth = Array.from({ length: 31 }, (_, index) => {
    const x = (index - 15) * 32
    return path(
      polygon([
        [x - 16, -496],
        [x + 16, -496],
        [x, -468],
      ]),
      { fill: ink.fill.base },
    )
  })
  return (
    rect(-504, -504, 1008, 1008, { stroke: ink.fill.base, width: 16 }) +
    around(teeth.join(''), 4) +
    rect(-460, -460, 920, 920, { stroke: palette.line, width: 2 })
  )
}
