import type { StructureName } from '../names.ts'
import type { Stage } from '../stage.ts'
import { alpona } from './alpona.ts'
import { blossom } from './blossom.ts'
import { fan } from './fan.ts'
import { horizon } from './horizon.ts'
import { jaali } from './jaali.ts'
import { kolam } from './kolam.ts'
import { mandala } from './mandala.ts'
import { pookalam } from './pookalam.ts'
import { quilt } from './quilt.ts'
import { rosette } from './rosette.ts'
import { splash } from './splash.ts'
import { starburst } from './starburst.ts'
import { waves } from './waves.ts'

/** A composition: what it draws over the floor, and how much of the square it leaves to the frame. */
export interface Structure {
  readonly draw: (stage: Stage) => string
  readonly frame: 'border and corners' | 'border' | 'none'
}

export const structures: Record<StructureName, Structure> = {
  mandala: { draw: mandala, frame: 'border and corners' },
  blossom: { draw: blossom, frame: 'border and corners' },
  kolam: { draw: kolam, frame: 'border' },
  rosette: { draw: rosette, frame: 'border and corners' },
  jaali: { draw: jaali, frame: 'none' },
  starburst: { draw: starburst, frame: 'none' },
  waves: { draw: waves, frame: 'none' },
  fan: { draw: fan, frame: 'none' },
  alpona: { draw: alpona, frame: 'border and corners' },
  pookalam: { draw: pookalam, frame: 'border and corners' },
  horizon: { draw: horizon, frame: 'border and corners' },
  splash: { draw: splash, frame: 'none' },
  quilt: { draw: quilt, frame: 'none' },
}
