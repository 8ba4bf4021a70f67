import type { Palette } from './palette.ts'
import { radialGradient, rect } from './svg.ts'

/** The floor: lit in the middle, darker towards the corners. */
export function ground(palette: Palette): string {
  const { fill, definition } = radialGradient([palette.ground, palette.ground, palette.groundEdge])
  return (
    definition +
    rect(-512, -512, 1024, 1024, { fill: palette.groundEdge }) +
    rect(-640, -640, 1280, 1280, { fill })
  )
}
