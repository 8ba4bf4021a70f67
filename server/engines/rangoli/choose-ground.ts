import type { Brief } from './brief.ts'
import { colours, grounds } from './colors.ts'
import type { GroundName } from './colors.ts'
import { darken } from './contrast.ts'
import { harmonies } from './harmonies.ts'
import type { Oklch } from './oklch.ts'
import { at } from './random.ts'
import type { NonEmpty, Random } from './random.ts'

/** Floors that let any powder speak. */
const quietGrounds: NonEmpty<GroundName> = [
  'night',
  'indigo',
  'maroon',
  'teal',
  'plum',
  'forest',
  'oxide',
  'cream',
  'sand',
]

/** The floor: in the colour that the prompt names, else the one that its words suggest, else one that suits. */
export function chooseGround(brief: Brief, powders: NonEmpty<Oklch>, random: Random): Oklch {
  const [lead] = powders
  const named = brief.ground === undefined ? undefined : grounds[brief.ground]
  if (brief.groundColour !== undefined) return tinted(colours[brief.groundColour], named, brief, random)
  if (named !== undefined) return named
  if (brief.mood.tone === 'light') return { l: 0.93, c: 0.035, h: lead.h + random.pick([0, 40, -40]) }
  if (brief.mood.tone === 'dark') return { l: 0.2, c: 0.035, h: random.pick([280, 255, 310]) }
  if (brief.colours.length > 0) return grounds[random.pick(quietGrounds)]
  return grounds[random.pick(at(harmonies, brief.harmony).grounds)]
}

/** A floor in the colour that the prompt names: deep, or a wash of it. */
function tinted(colour: Oklch, named: Oklch | undefined, { mood }: Brief, random: Random): Oklch {
  const isPale =
    mood.tone === 'light' || (mood.tone !== 'dark' && (named?.l ?? random.between(0.15, 0.8)) > 0.66)
  if (colour.c < 0.03) return { ...colour, l: colour.l > 0.5 ? Math.max(colour.l, 0.9) : 0.2 }
  if (colour.l > 0.76 && mood.tone === undefined)
    return { l: Math.max(0.84, colour.l), c: colour.c * 0.8, h: colour.h }
  if (isPale) return { l: 0.9, c: Math.min(colour.c * 0.45, 0.085), h: colour.h }
  const deep = darken(colour, Math.max(0, colour.l - 0.35))
  return { l: mood.tone === 'dark' ? 0.22 : 0.35, c: Math.min(colour.c * 0.68, 0.14), h: deep.h }
}
