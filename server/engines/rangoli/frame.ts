import { beadedBorder, linedBorder, petalBorder, toothedBorder } from './borders.ts'
import { cornerFan, cornerLotus, cornerMedal, cornerTendrils } from './corners.ts'
import type { Stage } from './stage.ts'
import { around, place } from './svg.ts'

/** What fills the square around a round image: a border, and something in each corner if there is room. */
export function frame(stage: Stage, hasCorners: boolean): string {
  const { random } = stage
  const border = random.pick([linedBorder, beadedBorder, petalBorder, toothedBorder])
  const corner = random.pick([cornerMedal, cornerFan, cornerTendrils, cornerLotus])
  return border(stage) + (hasCorners ? around(place(corner(stage), { angle: 45 }), 4) : '')
}
