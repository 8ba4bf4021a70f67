import type { Design, LayoutName } from './design.ts'
import { frame, outline, panels } from './frame.ts'
import { alpona, blossom, mandala, pookalam, rosette } from './layouts/round.ts'
import { fan } from './layouts/fan.ts'
import { pair, portrait, procession, sceneOf } from './layouts/figurative.ts'
import { girih, jaali } from './layouts/lattices.ts'
import { waves } from './layouts/waves.ts'
import { kolam } from './layouts/kolam.ts'
import { quilt } from './layouts/quilt.ts'
import { splash } from './layouts/splash.ts'
import { starburst } from './layouts/starburst.ts'
import { createPalette } from './palette.ts'
import { createRandom } from './random.ts'
import { createCanvas, type Scene, type Size } from './scene.ts'
import { num, radialGradient, rect } from './svg.ts'

const DEFAULT_SIZE: Size = { width: 1024, height: 1024 }

/**
 * Layout of an image: the function that draws it over the background, and the frame around it. A layout with corners is
 * round, and panels fill what it leaves free of a canvas that is not square; the others fill it themselves.
 */
interface Layout {
  readonly draw: (scene: Scene) => string
  readonly frame: 'border and corners' | 'border' | 'none'
}

const layouts: Record<LayoutName, Layout> = {
  mandala: { draw: mandala, frame: 'border and corners' },
  blossom: { draw: blossom, frame: 'border and corners' },
  kolam: { draw: kolam, frame: 'border' },
  rosette: { draw: rosette, frame: 'border and corners' },
  jaali: { draw: jaali, frame: 'none' },
  starburst: { draw: starburst, frame: 'none' },
  waves: { draw: waves, frame: 'none' },
  fan: { draw: fan, frame: 'none' },
  alpona: { draw: alpona, frame: 'border and corners' },
  pookalam: { draw: pookalam, frame: 'border and corners' },
  splash: { draw: splash, frame: 'none' },
  quilt: { draw: quilt, frame: 'none' },
  girih: { draw: girih, frame: 'none' },
  portrait: { draw: portrait, frame: 'border' },
  pair: { draw: pair, frame: 'none' },
  procession: { draw: procession, frame: 'none' },
  scene: { draw: sceneOf, frame: 'none' },
}

/**
 * Renders a design as an SVG document of the given size. The labels of `fork` are part of the seed: another label is
 * another image.
 */
export function compose(design: Design, size: Size = DEFAULT_SIZE): string {
  const random = createRandom(design.seed)
  const palette = createPalette(design, random.fork('palette'))
  const canvas = createCanvas(size)
  const scene = { design, palette, canvas, random: random.fork('structure') }
  const layout = layouts[design.layout]
  const hasCorners = layout.frame === 'border and corners'
  const { halfWidth, halfHeight } = canvas
  const viewBox = [-halfWidth, -halfHeight, 2 * halfWidth, 2 * halfHeight].map(num).join(' ')
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="${viewBox}"`,
    ` stroke-linecap="round" stroke-linejoin="round">`,
    background(scene),
    layout.frame === 'none' ? '' : frame({ ...scene, random: random.fork('frame') }, hasCorners),
    hasCorners ? panels({ ...scene, random: random.fork('panels') }) : '',
    layout.draw(scene),
    `</svg>`,
  ].join('')
}

/** Background that is darker towards the corners. */
function background({ palette, canvas }: Scene): string {
  const { halfWidth, halfHeight } = canvas
  const { fill, definition } = radialGradient([
    palette.background,
    palette.background,
    palette.backgroundEdge,
  ])
  return (
    definition +
    outline(canvas, 0, { fill: palette.backgroundEdge }) +
    rect(-halfWidth * 1.25, -halfHeight * 1.25, halfWidth * 2.5, halfHeight * 2.5, { fill })
  )
}
