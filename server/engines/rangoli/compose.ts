import type { Design, LayoutName } from './design.ts'
import { frame } from './frame.ts'
import { alpona } from './layouts/alpona.ts'
import { blossom } from './layouts/blossom.ts'
import { fan } from './layouts/fan.ts'
import { horizon } from './layouts/horizon.ts'
import { jaali } from './layouts/jaali.ts'
import { kolam } from './layouts/kolam.ts'
import { mandala } from './layouts/mandala.ts'
import { pookalam } from './layouts/pookalam.ts'
import { quilt } from './layouts/quilt.ts'
import { rosette } from './layouts/rosette.ts'
import { splash } from './layouts/splash.ts'
import { starburst } from './layouts/starburst.ts'
import { waves } from './layouts/waves.ts'
import { createPalette } from './palette.ts'
import type { Palette } from './palette.ts'
import { createRandom } from './random.ts'
import type { Scene } from './scene.ts'
import { radialGradient, rect } from './svg.ts'

/** Side of the image in pixels. */
const SIDE = 1024

/** Layout of an image: the function that draws it over the background, and the frame around it. */
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
  horizon: { draw: horizon, frame: 'border and corners' },
  splash: { draw: splash, frame: 'none' },
  quilt: { draw: quilt, frame: 'none' },
}

/** Renders a design as an SVG document. The labels of `fork` are part of the seed: another label is another image. */
export function compose(design: Design): string {
  const random = createRandom(design.seed)
  const palette = createPalette(design, random.fork('palette'))
  const scene = { design, palette, random: random.fork('structure') }
  const layout = layouts[design.layout]
  const viewBox = `${-SIDE / 2} ${-SIDE / 2} ${SIDE} ${SIDE}`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="${viewBox}"`,
    ` stroke-linecap="round" stroke-linejoin="round">`,
    background(palette),
    layout.frame === 'none'
      ? ''
      : frame({ ...scene, random: random.fork('frame') }, layout.frame === 'border and corners'),
    layout.draw(scene),
    `</svg>`,
  ].join('')
}

/** Background that is darker towards the corners. */
function background(palette: Palette): string {
  const { fill, definition } = radialGradient([
    palette.background,
    palette.background,
    palette.backgroundEdge,
  ])
  return (
    definition +
    rect(-512, -512, 1024, 1024, { fill: palette.backgroundEdge }) +
    rect(-640, -640, 1280, 1280, { fill })
  )
}
