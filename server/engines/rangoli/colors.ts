import type { Oklch } from './oklch.ts'

const colour = (l: number, c: number, h: number): Oklch => ({ l, c, h })

/** The powders: every colour that a word can ask for. */
export const colours = {
  red: colour(0.58, 0.22, 27),
  crimson: colour(0.5, 0.2, 18),
  vermilion: colour(0.63, 0.22, 34),
  coral: colour(0.72, 0.16, 32),
  orange: colour(0.73, 0.18, 55),
  saffron: colour(0.77, 0.17, 65),
  marigold: colour(0.81, 0.17, 76),
  gold: colour(0.8, 0.14, 85),
  turmeric: colour(0.83, 0.17, 90),
  yellow: colour(0.9, 0.18, 100),
  lime: colour(0.85, 0.2, 124),
  parrot: colour(0.74, 0.2, 137),
  green: colour(0.64, 0.17, 147),
  emerald: colour(0.62, 0.14, 160),
  olive: colour(0.6, 0.11, 112),
  forest: colour(0.47, 0.11, 152),
  mint: colour(0.87, 0.1, 165),
  turquoise: colour(0.78, 0.12, 190),
  teal: colour(0.58, 0.1, 195),
  peacock: colour(0.57, 0.13, 230),
  sky: colour(0.8, 0.1, 230),
  blue: colour(0.56, 0.19, 258),
  cobalt: colour(0.48, 0.21, 264),
  navy: colour(0.38, 0.13, 265),
  indigo: colour(0.44, 0.18, 277),
  lavender: colour(0.78, 0.1, 300),
  violet: colour(0.54, 0.22, 295),
  purple: colour(0.52, 0.21, 308),
  plum: colour(0.46, 0.15, 335),
  magenta: colour(0.6, 0.25, 350),
  pink: colour(0.73, 0.18, 358),
  rose: colour(0.67, 0.2, 10),
  blush: colour(0.86, 0.07, 15),
  maroon: colour(0.4, 0.14, 22),
  brown: colour(0.48, 0.09, 50),
  copper: colour(0.63, 0.12, 48),
  terracotta: colour(0.6, 0.13, 42),
  sand: colour(0.85, 0.06, 82),
  ivory: colour(0.95, 0.03, 92),
  white: colour(0.97, 0.008, 90),
  silver: colour(0.84, 0.012, 250),
  grey: colour(0.62, 0.012, 260),
  charcoal: colour(0.36, 0.015, 265),
  black: colour(0.22, 0.012, 280),
} as const satisfies Record<string, Oklch>

export type ColourName = keyof typeof colours

/** The floors that a rangoli is drawn on, in the middle of the image. */
export const grounds = {
  night: colour(0.24, 0.075, 275),
  indigo: colour(0.31, 0.12, 274),
  ink: colour(0.19, 0.03, 285),
  maroon: colour(0.3, 0.1, 18),
  oxide: colour(0.41, 0.115, 32),
  terracotta: colour(0.5, 0.12, 40),
  teal: colour(0.35, 0.07, 200),
  sea: colour(0.34, 0.1, 245),
  forest: colour(0.31, 0.065, 158),
  plum: colour(0.3, 0.1, 328),
  slate: colour(0.36, 0.03, 255),
  stone: colour(0.43, 0.02, 65),
  earth: colour(0.34, 0.05, 55),
  cream: colour(0.945, 0.03, 88),
  sand: colour(0.88, 0.05, 80),
  blush: colour(0.91, 0.045, 20),
  sky: colour(0.87, 0.06, 225),
  leaf: colour(0.91, 0.05, 135),
  lilac: colour(0.88, 0.05, 305),
  snow: colour(0.95, 0.015, 240),
} as const satisfies Record<string, Oklch>

export type GroundName = keyof typeof grounds
