import { colours } from './colors.ts'
import type { Oklch } from './oklch.ts'
import type { NonEmpty } from './random.ts'

/** How far a powder's lightness stays from the floor's. */
const CONTRAST = 0.2

/** The powder, pushed away from the floor until it can be told from it. */
export function standOut(powder: Oklch, ground: Oklch): Oklch {
  const distance = powder.l - ground.l
  if (Math.abs(distance) >= CONTRAST) return powder
  if (ground.l < 0.66) return { ...powder, l: ground.l + CONTRAST }
  if (powder.c < 0.06) return isWarm(powder) ? colours.terracotta : colours.peacock
  return darken(powder, CONTRAST - Math.abs(distance) + Math.max(0, distance * 2))
}

/** Powders that came out alike are moved apart in lightness. */
export function distinct(powders: readonly Oklch[]): NonEmpty<Oklch> {
  const kept: Oklch[] = []
  for (const powder of powders) {
    const twin = kept.find((other) => Math.abs(other.l - powder.l) < 0.05 && hueDistance(other, powder) < 14)
    kept.push(twin === undefined ? powder : apart(powder, twin))
  }
  const [first = colours.ivory, ...others] = kept
  return [first, ...others]
}

function apart(powder: Oklch, twin: Oklch): Oklch {
  if (powder.c < 0.06) return { l: powder.l, c: 0.1, h: powder.h + 30 }
  return twin.l > 0.7 ? darken(powder, 0.17) : { ...powder, l: twin.l + 0.17 }
}

/** Darker by an amount of lightness; yellows turn towards orange on the way, where they would go muddy. */
export function darken({ l, c, h }: Oklch, amount: number): Oklch {
  const yellowness = c < 0.06 ? 0 : Math.max(0, 1 - Math.abs((h % 360) - 88) / 45)
  return {
    l: l - amount * (1 - 0.15 * yellowness),
    c: c * (1 + amount * 0.5 * yellowness),
    h: h - amount * 190 * yellowness,
  }
}

/** Whether an almost grey powder leans to yellow and red, as ivory does, or to blue. */
function isWarm({ h }: Oklch): boolean {
  return h < 150 || h > 330
}

function hueDistance(a: Oklch, b: Oklch): number {
  const turn = Math.abs(a.h - b.h) % 360
  return Math.min(a.c, b.c) < 0.03 ? 0 : Math.min(turn, 360 - turn)
}
