import { beads, braidBand, disc, hoop, onCircle, toothBand } from '../bands.ts'
import { medal } from '../centerpiece.ts'
import { motifs } from '../motifs/catalogue.ts'
import type { Swatch } from '../palette.ts'
import { firmCount } from '../rhythm.ts'
import { inkAt } from '../stage.ts'
import type { Stage } from '../stage.ts'
import { around, dots, path, place, polar, polygon } from '../svg.ts'

/** Rays to the edges and facetted stars over them; the subject stands large in the middle. */
export function starburst(stage: Stage): string {
  const { brief, palette, random } = stage
  const points = brief.order >= 8 ? brief.order : brief.order * 2
  const inner = random.between(270, 300)
  const ink = inkAt(palette, 0)
  return [
    rays(stage, points * 2),
    around(facet(inner, 478, points, inkAt(palette, 2).fill, palette.line), points, 180 / points),
    around(facet(inner - 20, 436, points, ink.fill, palette.line), points),
    between(stage, points),
    disc(inner - 8, palette.groundEdge, palette.line, 3.5),
    braidBand(
      { inner: inner - 40, outer: inner - 12, count: firmCount(points, inner, 46) },
      inkAt(palette, 1),
    ),
    disc(inner - 42, inkAt(palette, 3).fill.deep, palette.line, 2.5),
    toothBand(
      { inner: inner - 104, outer: inner - 48, count: firmCount(points, inner, 58) },
      inkAt(palette, 1),
    ),
    disc(inner - 106, palette.ground, palette.line, 3.5),
    hoop(inner - 114, palette.line, 1.4),
    beads(inner - 124, firmCount(points, inner - 124, 20), 3, ink.fill.light),
    medal(brief.motifs[0], inner - 140, ink),
  ].join('')
}

function rays({ palette }: Stage, count: number): string {
  const half = 90 / count
  const ray = polygon([polar(100, -half), polar(760, -half), polar(760, half), polar(100, half)])
  return (
    around(path(ray, { fill: palette.groundTone, opacity: 0.6 }), count) +
    dots(
      [...onCircle(498, count, half * 2), ...onCircle(540, count), ...onCircle(584, count, half * 2)],
      4,
      palette.line,
    )
  )
}

/** One point of a star: a lit side, a shaded side and a ridge. */
function facet(
  inner: number,
  outer: number,
  points: number,
  { light, base, deep }: Swatch,
  line: string,
): string {
  const half = 180 / points
  const foot = inner * 0.9
  return (
    path(polygon([polar(foot, 0), polar(foot, half), polar(outer, 0)]), { fill: base }) +
    path(polygon([polar(foot, 0), polar(foot, -half), polar(outer, 0)]), { fill: light }) +
    path(polygon([polar(foot, half), polar(outer, 0), polar(foot, -half)]), { stroke: line, width: 2.6 }) +
    path(`M0 ${-Math.round(foot)}V${-Math.round(outer)}`, { stroke: deep, width: 1.8 })
  )
}

/** Small second subjects, between the tips of the star and the corners. */
function between({ brief, palette }: Stage, points: number): string {
  const { draw, isSided } = motifs[brief.motifs[1] ?? brief.motifs[0]]
  if (isSided || points > 12) return ''
  const corner = place(draw(inkAt(palette, 1)), { scale: 0.92 })
  return around(place(place(corner, { y: -590 }), { angle: 45 }), 4)
}
