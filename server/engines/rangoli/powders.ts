import type { Brief } from './brief.ts'
import { colours } from './colors.ts'
import { harmonies } from './harmonies.ts'
import type { Oklch } from './oklch.ts'
import { at } from './random.ts'
import type { NonEmpty, Random } from './random.ts'

/** Five powders: the words' own first, then what goes with them. */
export function choosePowders(brief: Brief, random: Random): NonEmpty<Oklch> {
  const asked = brief.colours.map((name) => colours[name])
  const [lead, ...rest] = asked
  if (lead === undefined) {
    const [first, ...others] = at(harmonies, brief.harmony).colours
    return [colours[first], ...others.map((name) => colours[name])]
  }
  return [lead, ...[...rest, ...companions(lead, random)].slice(0, 4)]
}

/** Neighbours of a colour on both sides, a tint of it, and a spark from across the wheel. */
function companions(lead: Oklch, random: Random): readonly Oklch[] {
  const isGrey = lead.c < 0.03
  const hue = isGrey ? random.pick([80, 30, 230, 160]) : lead.h
  const spread = random.pick([28, 36, 44])
  const spark = random.pick([150, 180, 205])
  return [
    { l: 0.82, c: 0.13, h: hue + spread },
    { l: 0.93, c: 0.045, h: hue },
    { l: 0.55, c: 0.16, h: hue - spread },
    { l: 0.78, c: 0.15, h: hue + spark },
  ]
}
