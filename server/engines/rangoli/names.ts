/** The compositions that an image can have; each is one file of structures/. */
export const structureNames = [
  'mandala',
  'blossom',
  'kolam',
  'rosette',
  'jaali',
  'starburst',
  'waves',
  'fan',
  'alpona',
  'pookalam',
  'horizon',
  'splash',
  'quilt',
] as const

export type StructureName = (typeof structureNames)[number]

/** The things that an image can show; motifs/catalogue.ts draws each. */
export type MotifName =
  | 'balloon'
  | 'bell'
  | 'bird'
  | 'boat'
  | 'book'
  | 'butterfly'
  | 'cat'
  | 'circuit'
  | 'clock'
  | 'cloud'
  | 'cow'
  | 'crown'
  | 'cup'
  | 'dancer'
  | 'diya'
  | 'dome'
  | 'drum'
  | 'elephant'
  | 'eye'
  | 'feather'
  | 'fir'
  | 'firework'
  | 'fish'
  | 'flame'
  | 'ganesha'
  | 'gear'
  | 'gem'
  | 'hand'
  | 'heart'
  | 'hibiscus'
  | 'house'
  | 'jasmine'
  | 'jellyfish'
  | 'kite'
  | 'lantern'
  | 'leaf'
  | 'lotus'
  | 'marigold'
  | 'mask'
  | 'moon'
  | 'mountain'
  | 'mushroom'
  | 'owl'
  | 'paisley'
  | 'palm'
  | 'peacock'
  | 'planet'
  | 'pot'
  | 'rakhi'
  | 'robot'
  | 'rocket'
  | 'sitar'
  | 'snowflake'
  | 'star'
  | 'sun'
  | 'sunflower'
  | 'temple'
  | 'tower'
  | 'tree'
  | 'trident'
  | 'turtle'
  | 'umbrella'
  | 'wave'
  | 'wheat'
  | 'wheel'
