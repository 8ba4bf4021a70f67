import type { Palette } from './palette.ts'
import type { Canvas } from './scene.ts'
import { outline } from './frame.ts'

export type MaterialName = 'powder' | 'paper' | 'cloth' | 'lamplight' | 'gold'

interface Material {
  readonly palette: Palette
  /** Elements before the drawing. */
  readonly definition: string
  /** Elements over the drawing. */
  readonly overlay: string
}

/**
 * Noise by its frequency and how it becomes an alpha: strength and threshold. Filters are of small tiles that repeat: over
 * a whole image they would take ten times as long as the drawing.
 */
const textures = {
  powder: { frequency: '.55', strength: 0.8, threshold: 0.52 },
  paper: { frequency: '.035 .5', strength: 0.5, threshold: 0.46 },
  cloth: { frequency: '.9 .05', strength: 0.5, threshold: 0.46 },
} as const

/** Makes a drawing look like powder on a floor, paper, cloth, lit by a lamp, or with lines of gold. */
export function material(name: MaterialName, palette: Palette, canvas: Canvas): Material {
  const grain = texture(name === 'lamplight' || name === 'gold' ? 'powder' : name)
  const fill = (id: string) => outline(canvas, 0, { fill: `url(#${id})` })
  const result = { palette, definition: '', overlay: grain + fill('grain') }
  if (name === 'gold') {
    const stops = ['#8a5a12', '#f6d77a', '#c08a24', '#fff2b8', '#a06a16', '#f0c85a']
    return {
      ...result,
      palette: palette.isDark ? { ...palette, stroke: 'url(#gold)' } : palette,
      definition: gradient(
        'linearGradient id="gold" gradientUnits="userSpaceOnUse" x1="-512" y1="-512" x2="512" y2="512"',
        stops,
      ),
    }
  }
  if (name === 'lamplight') {
    const glow = gradient('radialGradient id="lamp" cy=".55" r=".75"', [
      '#ffd98a40',
      '#ffcf7a18',
      '#12061c00',
      '#12061c59',
    ])
    return { ...result, overlay: glow + fill('lamp') + result.overlay }
  }
  return result
}

function gradient(head: string, stops: readonly string[]): string {
  const colors = stops.map(
    (color, index) => `<stop offset="${(index / (stops.length - 1)).toFixed(2)}" stop-color="${color}"/>`,
  )
  return `<${head}>${colors.join('')}</${head.split(' ')[0] ?? ''}>`
}

/** Pattern of light and dark specks or fibers. */
function texture(name: keyof typeof textures): string {
  const { frequency, strength, threshold } = textures[name]
  const size = 'width="96" height="96"'
  // Light or dark by one channel of the noise, more or less opaque by another.
  const [tone, alpha] = ['30 0 0 0 -15', `0 ${strength} 0 0 ${(-strength * threshold).toFixed(3)}`]
  return (
    `<filter id="grainer" x="0" y="0" ${size} filterUnits="userSpaceOnUse" color-interpolation-filters="sRGB">` +
    `<feTurbulence type="fractalNoise" baseFrequency="${frequency}" stitchTiles="stitch"/>` +
    `<feColorMatrix values="${tone} ${tone} ${tone} ${alpha}"/></filter>` +
    `<pattern id="grain" ${size} patternUnits="userSpaceOnUse"><rect ${size} filter="url(#grainer)"/></pattern>`
  )
}
