import type { ColourName, GroundName } from './colors.ts'
import type { NonEmpty } from './random.ts'

/** Powders that go together, and floors that they stand out from. */
export interface Harmony {
  readonly colours: readonly [ColourName, ColourName, ColourName, ColourName, ColourName]
  readonly grounds: NonEmpty<GroundName>
}

/** What a prompt without any colour of its own is drawn in. */
export const harmonies: NonEmpty<Harmony> = [
  {
    colours: ['marigold', 'vermilion', 'magenta', 'turquoise', 'ivory'],
    grounds: ['night', 'indigo', 'plum'],
  },
  { colours: ['turquoise', 'gold', 'coral', 'peacock', 'ivory'], grounds: ['teal', 'night', 'cream'] },
  { colours: ['ivory', 'saffron', 'crimson', 'gold', 'emerald'], grounds: ['oxide', 'terracotta', 'maroon'] },
  { colours: ['pink', 'gold', 'mint', 'magenta', 'ivory'], grounds: ['maroon', 'plum', 'forest'] },
  { colours: ['cobalt', 'vermilion', 'marigold', 'turquoise', 'navy'], grounds: ['cream', 'sand', 'snow'] },
  { colours: ['gold', 'emerald', 'ivory', 'parrot', 'saffron'], grounds: ['forest', 'teal', 'earth'] },
  { colours: ['crimson', 'marigold', 'forest', 'pink', 'maroon'], grounds: ['cream', 'blush', 'leaf'] },
  { colours: ['lavender', 'pink', 'sky', 'gold', 'white'], grounds: ['indigo', 'plum', 'night'] },
  { colours: ['violet', 'magenta', 'orange', 'peacock', 'plum'], grounds: ['lilac', 'cream', 'blush'] },
  { colours: ['copper', 'ivory', 'turquoise', 'gold', 'terracotta'], grounds: ['slate', 'stone', 'teal'] },
  { colours: ['yellow', 'rose', 'turquoise', 'orange', 'white'], grounds: ['sea', 'indigo', 'slate'] },
  { colours: ['indigo', 'teal', 'terracotta', 'gold', 'navy'], grounds: ['sand', 'cream', 'sky'] },
  { colours: ['rose', 'coral', 'forest', 'saffron', 'crimson'], grounds: ['blush', 'leaf', 'snow'] },
  { colours: ['white', 'sky', 'turquoise', 'gold', 'coral'], grounds: ['sea', 'night', 'slate'] },
]
