import type { Palette } from './color.ts'
import type { Canvas } from './scene.ts'
import { outline } from './frame.ts'
import data from './materials.json' with { type: 'json' }

export type MaterialName = keyof typeof data.textures | 'lamplight' | 'gold'

/**
 * Makes a drawing look like powder on a floor, paper, cloth, lit by a lamp, or with lines of gold. Textures of `materials.json`
 * are noise in small tiles that repeat: over a whole image a filter would take ten times as long as the drawing. They are light
 * or dark by one channel of the noise, more or less opaque by another.
 *
 * @returns `definition` has elements before the drawing, `overlay` those over it
 */
export function material(name: MaterialName, palette: Palette, canvas: Canvas) {
  const texture = data.textures[name === 'lamplight' || name === 'gold' ? 'powder' : name]
  const fill = (id: string) => outline(canvas, 0, { fill: `url(#${id})` })
  const grain = texture.join('') + fill('grain')
  if (name === 'gold') {
    const lines = palette.isDark ? { ...palette, stroke: 'url(#gold)' } : palette
    return { palette: lines, definition: data.gold, overlay: grain }
  }
  const glow = name === 'lamplight' ? data.lamp + fill('lamp') : ''
  return { palette, definition: '', overlay: glow + grain }
}
