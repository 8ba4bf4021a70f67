import { defaultSize, type Size } from '../image-engine.ts'
import type { Design, LayoutName } from './design.ts'
import { frame, outline, sides } from './frame.ts'
import { alpona } from './layouts/alpona.ts'
import { fan } from './layouts/fan.ts'
import { kolam } from './layouts/kolam.ts'
import { pair, portrait, procession, sceneOf } from './layouts/pictures.ts'
import { quilt } from './layouts/quilt.ts'
import { growth, mandala, pookalam, rosette, splash, starburst } from './layouts/round.ts'
import { tile } from './layouts/tile.ts'
import { tree } from './layouts/tree.ts'
import { type MaterialName, material } from './material.ts'
import { createPalette } from './palette.ts'
import { createRandom, type NonEmpty } from './random.ts'
import { createCanvas, type Scene } from './scene.ts'
import data from './layouts.json' with { type: 'json' }
import { gradient, num } from './svg.ts'

/**
 * Layout of `layouts.json`: the frame around it, and what it looks made of. A layout with corners is round, and has something
 * beside it on a canvas that is not square; the others fill it themselves.
 */
interface Layout {
  readonly frame: 'border and corners' | 'border' | 'none'
  readonly materials: NonEmpty<MaterialName>
}

const layouts = data as unknown as Readonly<Record<LayoutName, Layout>>

/** Functions that draw layouts over the background. */
const drawings: Record<LayoutName, (scene: Scene) => string> = {
  mandala,
  rosette,
  kolam,
  tile,
  starburst,
  growth,
  fan,
  alpona,
  pookalam,
  splash,
  quilt,
  tree,
  portrait,
  pair,
  procession,
  scene: sceneOf,
}

/**
 * Renders a design as an SVG document of the given size. The labels of `fork` are part of the seed: another label is
 * another image.
 */
export function compose(design: Design, size: Size = defaultSize): string {
  const random = createRandom(design.seed)
  const canvas = createCanvas(size)
  const layout = layouts[design.layout]
  const { palette, definition, overlay } = material(
    random.fork('material').pick(layout.materials),
    createPalette(design, random.fork('palette')),
    canvas,
  )
  const scene = { design, palette, canvas, random: random.fork('structure') }
  const hasCorners = layout.frame === 'border and corners'
  const hasSides = hasCorners || design.layout === 'portrait'
  const { halfWidth, halfHeight } = canvas
  const viewBox = [-halfWidth, -halfHeight, 2 * halfWidth, 2 * halfHeight].map(num).join(' ')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="${viewBox}"`,
    ` stroke-linecap="round" stroke-linejoin="round">`,
    definition,
    background(scene),
    layout.frame === 'none' ? '' : frame({ ...scene, random: random.fork('frame') }, hasCorners),
    hasSides ? sides({ ...scene, random: random.fork('sides') }) : '',
    drawings[design.layout](scene),
    overlay,
    `</svg>`,
  ].join('')
}

/** Background that is darker towards the corners. */
function background({ palette, canvas }: Scene): string {
  const { fill, definition } = gradient('radial', [
    palette.background,
    palette.background,
    palette.backgroundEdge,
  ])
  return definition + outline(canvas, 0, { fill: palette.backgroundEdge }) + outline(canvas, -80, { fill })
}
