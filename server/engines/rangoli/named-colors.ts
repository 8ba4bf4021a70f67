import type { Oklch } from './color.ts'

const color = (l: number, c: number, h: number): Oklch => ({ l, c, h })

/** Colors of the powders that a rangoli is drawn with. */
export const namedColors = {
  red: color(0.58, 0.22, 27),
  crimson: color(0.5, 0.2, 18),
  vermilion: color(0.63, 0.22, 34),
  coral: color(0.72, 0.16, 32),
  orange: color(0.73, 0.18, 55),
  saffron: color(0.77, 0.17, 65),
  marigold: color(0.81, 0.17, 76),
  gold: color(0.8, 0.14, 85),
  turmeric: color(0.83, 0.17, 90),
  yellow: color(0.9, 0.18, 100),
  lime: color(0.85, 0.2, 124),
  parrot: color(0.74, 0.2, 137),
  green: color(0.64, 0.17, 147),
  emerald: color(0.62, 0.14, 160),
  olive: color(0.6, 0.11, 112),
  forest: color(0.47, 0.11, 152),
  mint: color(0.87, 0.1, 165),
  turquoise: color(0.78, 0.12, 190),
  teal: color(0.58, 0.1, 195),
  peacock: color(0.57, 0.13, 230),
  sky: color(0.8, 0.1, 230),
  blue: color(0.56, 0.19, 258),
  cobalt: color(0.48, 0.21, 264),
  navy: color(0.38, 0.13, 265),
  indigo: color(0.44, 0.18, 277),
  lavender: color(0.78, 0.1, 300),
  violet: color(0.54, 0.22, 295),
  purple: color(0.52, 0.21, 308),
  plum: color(0.46, 0.15, 335),
  magenta: color(0.6, 0.25, 350),
  pink: color(0.73, 0.18, 358),
  rose: color(0.67, 0.2, 10),
  blush: color(0.86, 0.07, 15),
  maroon: color(0.4, 0.14, 22),
  brown: color(0.48, 0.09, 50),
  copper: color(0.63, 0.12, 48),
  terracotta: color(0.6, 0.13, 42),
  sand: color(0.85, 0.06, 82),
  ivory: color(0.95, 0.03, 92),
  white: color(0.97, 0.008, 90),
  silver: color(0.84, 0.012, 250),
  gray: color(0.62, 0.012, 260),
  charcoal: color(0.36, 0.015, 265),
  black: color(0.22, 0.012, 280),
} as const satisfies Record<string, Oklch>

export type ColorName = keyof typeof namedColors

/** Colors of the floors that a rangoli is drawn on. */
export const namedBackgrounds = {
  night: color(0.24, 0.075, 275),
  indigo: color(0.31, 0.12, 274),
  ink: color(0.19, 0.03, 285),
  maroon: color(0.3, 0.1, 18),
  oxide: color(0.41, 0.115, 32),
  terracotta: color(0.5, 0.12, 40),
  teal: color(0.35, 0.07, 200),
  sea: color(0.34, 0.1, 245),
  forest: color(0.31, 0.065, 158),
  plum: color(0.3, 0.1, 328),
  slate: color(0.36, 0.03, 255),
  stone: color(0.43, 0.02, 65),
  earth: color(0.34, 0.05, 55),
  cream: color(0.945, 0.03, 88),
  sand: color(0.88, 0.05, 80),
  blush: color(0.91, 0.045, 20),
  sky: color(0.87, 0.06, 225),
  leaf: color(0.91, 0.05, 135),
  lilac: color(0.88, 0.05, 305),
  snow: color(0.95, 0.015, 240),
} as const satisfies Record<string, Oklch>

export type BackgroundName = keyof typeof namedBackgrounds

/** Ground, field, three colors of figures, the main one first, and accent of a palette. */
type PaletteColors = readonly [
  ground: BackgroundName,
  field: ColorName,
  figure: ColorName,
  second: ColorName,
  third: ColorName,
  accent: ColorName,
]

/** Colors that go together, named after places and times, for what a prompt leaves open. */
export const palettes = {
  'Varanasi at dawn': ['lilac', 'lavender', 'vermilion', 'plum', 'teal', 'marigold'],
  'Jaipur at noon': ['blush', 'rose', 'terracotta', 'teal', 'crimson', 'saffron'],
  'Jodhpur in the afternoon': ['sand', 'sky', 'cobalt', 'terracotta', 'navy', 'turmeric'],
  'Udaipur at dusk': ['indigo', 'purple', 'coral', 'turquoise', 'pink', 'gold'],
  'Jaisalmer in summer': ['terracotta', 'maroon', 'turmeric', 'ivory', 'turquoise', 'saffron'],
  'Lucknow at night': ['night', 'indigo', 'marigold', 'magenta', 'turquoise', 'vermilion'],
  'Kochi in the monsoon': ['teal', 'peacock', 'mint', 'parrot', 'coral', 'gold'],
  'Kolkata in autumn': ['oxide', 'maroon', 'ivory', 'marigold', 'rose', 'gold'],
  'Darjeeling in spring': ['leaf', 'mint', 'crimson', 'forest', 'violet', 'marigold'],
  'Goa in summer': ['cream', 'turquoise', 'coral', 'cobalt', 'teal', 'marigold'],
  'Srinagar in winter': ['snow', 'sky', 'cobalt', 'plum', 'teal', 'vermilion'],
  'Leh at night': ['sea', 'cobalt', 'white', 'sky', 'lavender', 'gold'],
  'Isfahan in the evening': ['sea', 'peacock', 'turquoise', 'ivory', 'gold', 'coral'],
  'Fez at noon': ['cream', 'mint', 'emerald', 'cobalt', 'terracotta', 'turmeric'],
  'Kyoto in autumn': ['sand', 'copper', 'crimson', 'forest', 'plum', 'orange'],
  'Madurai at a festival': ['maroon', 'crimson', 'turmeric', 'pink', 'parrot', 'gold'],
  'Sundarbans at dusk': ['forest', 'emerald', 'gold', 'coral', 'mint', 'orange'],
  'Chittagong in the rain': ['slate', 'teal', 'sky', 'rose', 'mint', 'turmeric'],
  'Mysuru in the morning': ['sky', 'turquoise', 'indigo', 'crimson', 'teal', 'orange'],
  'Ubud at night': ['plum', 'purple', 'pink', 'gold', 'turquoise', 'saffron'],
} as const satisfies Record<string, PaletteColors>

export type PaletteName = keyof typeof palettes
