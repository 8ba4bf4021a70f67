import type { Brief } from './brief.ts'
import { chooseGround } from './choose-ground.ts'
import { colours } from './colors.ts'
import { darken, distinct, standOut } from './contrast.ts'
import type { Oklch } from './oklch.ts'
import { toHex } from './oklch.ts'
import { choosePowders } from './powders.ts'
import type { NonEmpty, Random } from './random.ts'

/** One powder, and the same powder in light and in shade. All are #rrggbb. */
export interface Swatch {
  readonly light: string
  readonly base: string
  readonly deep: string
  /** The powder itself, for comparing. */
  readonly powder: Oklch
}

/** Every colour that an image may use. */
export interface Palette {
  /** The floor: its middle, its rim, and a tone between it and the powders. */
  readonly ground: string
  readonly groundEdge: string
  readonly groundTone: string
  readonly isDark: boolean
  /** The line work: rice powder on a dark floor, a dark ink on a light one. */
  readonly line: string
  readonly fills: NonEmpty<Swatch>
  readonly leaf: Swatch
  readonly flame: Swatch
}

/** The prompt's powders and floor, tuned to each other. */
export function mixPalette(brief: Brief, random: Random): Palette {
  const powders = choosePowders(brief, random)
  const ground = chooseGround(brief, powders, random)
  const isDark = ground.l < 0.66
  const tune = (powder: Oklch) => standOut(inMood(powder, brief, powders[0]), ground)
  const [first, ...others] = distinct(powders.map(tune))
  return {
    ground: toHex(ground),
    groundEdge: toHex({
      ...ground,
      l: ground.l * (isDark ? 0.66 : 0.93),
      c: ground.c * (isDark ? 0.95 : 1.3),
    }),
    groundTone: toHex({ ...ground, l: ground.l + (isDark ? 0.085 : -0.065), c: ground.c * 1.25 }),
    isDark,
    line: isDark ? toHex({ l: 0.97, c: 0.018, h: 88 }) : toHex(inkFor(powders[0])),
    fills: [swatch(first), ...others.map(swatch)],
    leaf: swatch(tune(colours.green)),
    flame: swatch(tune(colours.marigold)),
  }
}

function inMood(powder: Oklch, { mood }: Brief, lead: Oklch): Oklch {
  const h = mood.isMonochrome ? lead.h : powder.h
  const c = (mood.isMonochrome ? Math.min(lead.c, 0.14) : powder.c) * mood.chroma
  return { l: powder.l + mood.lift, c, h }
}

function inkFor(lead: Oklch): Oklch {
  return { l: 0.31, c: Math.min(0.1, Math.max(0.03, lead.c)), h: lead.c < 0.03 ? 280 : lead.h }
}

function swatch(powder: Oklch): Swatch {
  return {
    light: toHex({ ...powder, l: Math.min(0.965, powder.l + 0.13), c: powder.c * 0.72 }),
    base: toHex(powder),
    deep: toHex(darken(powder, 0.16)),
    powder,
  }
}
