import type { MotifName } from '../names.ts'
import type { Ink } from '../stage.ts'
import { cat, cow, elephant, ganesha } from './animals.ts'
import { bird, butterfly, feather, owl, peacock } from './birds.ts'
import { book, circuit, clock, cup, gear, robot, rocket, sitar } from './devices.ts'
import { bell, drum, mask, pot, rakhi, trident, wheel } from './festivities.ts'
import { crown, dancer, eye, gem, hand, heart } from './figures.ts'
import { hibiscus, jasmine, lotus, marigold, sunflower } from './flowers.ts'
import { diya, firework, flame, lantern } from './lights.ts'
import { dome, house, mountain, temple, tower } from './places.ts'
import { fir, leaf, mushroom, paisley, palm, tree, wheat } from './plants.ts'
import { balloon, cloud, kite, moon, planet, snowflake, star, sun } from './sky.ts'
import { boat, fish, jellyfish, turtle, umbrella, wave } from './water.ts'

/** A drawing of one thing, upright within 50 units of the origin. */
export interface Motif {
  readonly draw: (ink: Ink) => string
  /** Looks to the right, so that symmetry needs its mirror image beside it. */
  readonly isSided: boolean
}

const upright = (draw: (ink: Ink) => string): Motif => ({ draw, isSided: false })
const sided = (draw: (ink: Ink) => string): Motif => ({ draw, isSided: true })

export const motifs: Record<MotifName, Motif> = {
  balloon: upright(balloon),
  bell: upright(bell),
  bird: sided(bird),
  boat: upright(boat),
  book: upright(book),
  butterfly: upright(butterfly),
  cat: upright(cat),
  circuit: upright(circuit),
  clock: upright(clock),
  cloud: upright(cloud),
  cow: upright(cow),
  crown: upright(crown),
  cup: upright(cup),
  dancer: upright(dancer),
  diya: upright(diya),
  dome: upright(dome),
  drum: upright(drum),
  elephant: sided(elephant),
  eye: upright(eye),
  feather: upright(feather),
  fir: upright(fir),
  firework: upright(firework),
  fish: sided(fish),
  flame: upright(flame),
  ganesha: upright(ganesha),
  gear: upright(gear),
  gem: upright(gem),
  hand: sided(hand),
  heart: upright(heart),
  hibiscus: upright(hibiscus),
  house: upright(house),
  jasmine: upright(jasmine),
  jellyfish: upright(jellyfish),
  kite: upright(kite),
  lantern: upright(lantern),
  leaf: upright(leaf),
  lotus: upright(lotus),
  marigold: upright(marigold),
  mask: upright(mask),
  moon: upright(moon),
  mountain: upright(mountain),
  mushroom: upright(mushroom),
  owl: upright(owl),
  paisley: sided(paisley),
  palm: upright(palm),
  peacock: sided(peacock),
  planet: upright(planet),
  pot: upright(pot),
  rakhi: upright(rakhi),
  robot: upright(robot),
  rocket: upright(rocket),
  sitar: upright(sitar),
  snowflake: upright(snowflake),
  star: upright(star),
  sun: upright(sun),
  sunflower: upright(sunflower),
  temple: upright(temple),
  tower: upright(tower),
  tree: upright(tree),
  trident: upright(trident),
  turtle: upright(turtle),
  umbrella: upright(umbrella),
  wave: upright(wave),
  wheat: upright(wheat),
  wheel: upright(wheel),
}
