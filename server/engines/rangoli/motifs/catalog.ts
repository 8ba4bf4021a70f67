import type { MotifColors } from '../color.ts'
import {
  bird,
  butterfly,
  cat,
  cow,
  dog,
  elephant,
  feather,
  fox,
  ganesha,
  horse,
  owl,
  peacock,
  tiger,
} from './animals.ts'
import {
  balloon,
  boat,
  cloud,
  fish,
  jellyfish,
  kite,
  moon,
  planet,
  snowflake,
  star,
  sun,
  turtle,
  umbrella,
  wave,
} from './nature.ts'
import {
  book,
  bowl,
  circuit,
  clock,
  cup,
  diya,
  firework,
  flame,
  gear,
  lantern,
  robot,
  rocket,
  sitar,
} from './objects.ts'
import {
  bell,
  crown,
  dancer,
  drum,
  eye,
  gem,
  hand,
  heart,
  mask,
  person,
  pot,
  rakhi,
  trident,
  wheel,
} from './people.ts'
import { hexafoil, knot, octagram, roundel } from './ornaments.ts'
import { dome, house, mountain, temple, tower } from './places.ts'
import {
  fir,
  hibiscus,
  jasmine,
  leaf,
  lotus,
  marigold,
  mushroom,
  paisley,
  palm,
  sunflower,
  tree,
  wheat,
} from './plants.ts'

/** Drawing of one subject, upright, within 50 units of the origin. */
export interface Motif {
  readonly draw: (colors: MotifColors) => string
  /** Faces right, so that a symmetric image needs its mirror image too. */
  readonly isDirectional: boolean
}

const symmetric = (draw: (colors: MotifColors) => string): Motif => ({ draw, isDirectional: false })
const directional = (draw: (colors: MotifColors) => string): Motif => ({ draw, isDirectional: true })

const drawings = {
  balloon: symmetric(balloon),
  bell: symmetric(bell),
  bird: directional(bird),
  boat: symmetric(boat),
  book: symmetric(book),
  bowl: symmetric(bowl),
  butterfly: symmetric(butterfly),
  cat: symmetric(cat),
  circuit: symmetric(circuit),
  clock: symmetric(clock),
  cloud: symmetric(cloud),
  cow: symmetric(cow),
  crown: symmetric(crown),
  cup: symmetric(cup),
  dancer: symmetric(dancer),
  diya: symmetric(diya),
  dog: symmetric(dog),
  dome: symmetric(dome),
  drum: symmetric(drum),
  elephant: directional(elephant),
  eye: symmetric(eye),
  feather: symmetric(feather),
  fir: symmetric(fir),
  firework: symmetric(firework),
  fish: directional(fish),
  flame: symmetric(flame),
  fox: symmetric(fox),
  ganesha: symmetric(ganesha),
  gear: symmetric(gear),
  gem: symmetric(gem),
  hand: directional(hand),
  heart: symmetric(heart),
  hexafoil: symmetric(hexafoil),
  hibiscus: symmetric(hibiscus),
  horse: directional(horse),
  house: symmetric(house),
  jasmine: symmetric(jasmine),
  jellyfish: symmetric(jellyfish),
  kite: symmetric(kite),
  knot: symmetric(knot),
  lantern: symmetric(lantern),
  leaf: symmetric(leaf),
  lotus: symmetric(lotus),
  marigold: symmetric(marigold),
  mask: symmetric(mask),
  moon: symmetric(moon),
  mountain: symmetric(mountain),
  mushroom: symmetric(mushroom),
  octagram: symmetric(octagram),
  owl: symmetric(owl),
  paisley: directional(paisley),
  palm: symmetric(palm),
  peacock: directional(peacock),
  person: symmetric(person),
  planet: symmetric(planet),
  pot: symmetric(pot),
  rakhi: symmetric(rakhi),
  robot: symmetric(robot),
  rocket: symmetric(rocket),
  roundel: symmetric(roundel),
  sitar: symmetric(sitar),
  snowflake: symmetric(snowflake),
  star: symmetric(star),
  sun: symmetric(sun),
  sunflower: symmetric(sunflower),
  temple: symmetric(temple),
  tiger: symmetric(tiger),
  tower: symmetric(tower),
  tree: symmetric(tree),
  trident: symmetric(trident),
  turtle: symmetric(turtle),
  umbrella: symmetric(umbrella),
  wave: symmetric(wave),
  wheat: symmetric(wheat),
  wheel: symmetric(wheel),
} satisfies Record<string, Motif>

export type MotifName = keyof typeof drawings

/** Each drawing begins with a comment that names its motif, see `motifsIn`. */
export const motifs = Object.fromEntries(
  Object.entries(drawings).map(([name, { draw, isDirectional }]: [string, Motif]) => [
    name,
    { draw: (colors: MotifColors) => `<!--${name}-->${draw(colors)}`, isDirectional },
  ]),
) as Record<MotifName, Motif>

/** Returns the motifs that an SVG document shows. */
export function motifsIn(svg: string): ReadonlySet<string> {
  return new Set(Array.from(svg.matchAll(/<!--(\w+)-->/g), ([, name = '']) => name))
}

/** Motifs that show nothing, so that they suit any prompt. */
export const ornaments = ['roundel', 'knot', 'octagram', 'hexafoil'] as const satisfies readonly MotifName[]

const ornamentNames: ReadonlySet<string> = new Set(ornaments)

export function isOrnament(name: MotifName): boolean {
  return ornamentNames.has(name)
}
