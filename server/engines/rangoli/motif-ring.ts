import { motifs } from './motifs/catalogue.ts'
import type { MotifName } from './names.ts'
import { petal } from './petal.ts'
import { firmCount } from './rhythm.ts'
import type { Ink, Stage } from './stage.ts'
import { around, dots, mirrored, path, place, polar } from './svg.ts'

export interface MotifRing {
  readonly motif: MotifName
  readonly inner: number
  readonly outer: number
  readonly ink: Ink
}

/** One motif repeated around the middle, heads outwards; those that look to one side stand in facing pairs. */
export function motifRing({ brief }: Stage, { motif, inner, outer, ink }: MotifRing): string {
  const { draw, isSided } = motifs[motif]
  const radius = (inner + outer) / 2
  const height = outer - inner
  const order = brief.order
  const count = Math.max(order, firmCount(order, radius, height * (isSided ? 2.05 : 1.25)))
  const room = (2 * Math.PI * (radius - height * 0.25)) / count
  const scale = Math.min(height, isSided ? room / 2.02 : room / 1.04) / 100
  const slot = isSided
    ? mirrored(place(draw(ink), { ...shifted(radius, room / 4), scale, flip: true }))
    : place(draw(ink), { y: -radius, scale })
  const free = room - scale * (isSided ? 190 : 84)
  return (
    around(slot, count) + around(spray(radius, Math.min(free * 0.9, height * 0.62), ink), count, 180 / count)
  )
}

/** Three leaves on a dot, to fill the gap between two motifs; nothing where there is none. */
function spray(radius: number, room: number, ink: Ink): string {
  if (room < 14) return ''
  const blade = path(petal(room * 0.12, room * 0.78, room * 0.3, 'leaf'), {
    fill: ink.third.base,
    stroke: ink.line,
    width: 1.6,
  })
  const leaves = place(blade, { angle: -38 }) + place(blade, { angle: 38 }) + blade
  return place(
    leaves +
      dots(
        [
          [0, room * 0.06],
          [0, room * 0.34],
          [0, room * 0.54],
        ],
        room * 0.07,
        ink.line,
      ),
    {
      y: -radius + room * 0.2,
    },
  )
}

/** A place beside the up axis, turned to stay upright on the circle. */
function shifted(radius: number, distance: number): { x: number; y: number; angle: number } {
  const angle = (distance / radius) * (180 / Math.PI)
  const [x, y] = polar(radius, angle)
  return { x, y, angle }
}
