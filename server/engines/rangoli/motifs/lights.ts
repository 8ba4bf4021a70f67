import type { Ink } from '../stage.ts'
import { circle, dots, mirrored, path } from '../svg.ts'

/** A clay lamp with its flame and the light around it. */
export function diya(ink: Ink): string {
  return (
    glow(0, -20, ink) +
    burning(ink) +
    path('M-42 4C-38 36 -16 44 0 44C16 44 38 36 42 4C26 16 -26 16 -42 4Z', {
      fill: ink.fill.base,
      stroke: ink.line,
      width: 2.4,
    }) +
    path('M-42 4C-26 -6 26 -6 42 4C26 16 -26 16 -42 4Z', {
      fill: ink.fill.deep,
      stroke: ink.line,
      width: 2.4,
    }) +
    path('M-26 28Q-19.5 18 -13 30Q-6.5 19 0 31Q6.5 19 13 30Q19.5 18 26 28', {
      stroke: ink.fill.light,
      width: 2,
    }) +
    dots(
      [
        [-24, 20],
        [-8, 23],
        [8, 23],
        [24, 20],
      ],
      1.9,
      ink.line,
    )
  )
}

/** A tongue of fire in three shades. */
export function flame(ink: Ink): string {
  const outer = 'M0 -48C6 -30 30 -16 30 14C30 36 16 47 0 47C-16 47 -30 36 -30 14C-30 -16 -6 -30 0 -48Z'
  return (
    path(outer, { fill: ink.fill.deep, stroke: ink.line, width: 2.2 }) +
    path('M0 -24C6 -10 20 -2 20 18C20 34 10 42 0 42C-10 42 -20 34 -20 18C-20 -2 -6 -10 0 -24Z', {
      fill: ink.flame.base,
    }) +
    path('M0 0C4 8 11 12 11 24C11 33 6 38 0 38C-6 38 -11 33 -11 24C-11 12 -4 8 0 0Z', {
      fill: ink.flame.light,
    }) +
    mirrored(path('M38 40C48 26 38 18 40 4', { stroke: ink.flame.base, width: 2.6 }))
  )
}

/** A hanging lantern with a lit window. */
export function lantern(ink: Ink): string {
  return (
    path('M0 -48V-38', { stroke: ink.line, width: 2.4 }) +
    path('M-22 -24C-18 -38 18 -38 22 -24Z', { fill: ink.fill.deep, stroke: ink.line, width: 2.2 }) +
    path('M-22 -24C-38 -8 -34 16 -18 26H18C34 16 38 -8 22 -24Z', {
      fill: ink.fill.base,
      stroke: ink.line,
      width: 2.2,
    }) +
    path('M0 -18C14 -8 14 12 0 20C-14 12 -14 -8 0 -18Z', {
      fill: ink.flame.light,
      stroke: ink.line,
      width: 1.8,
    }) +
    mirrored(path('M20 -20C28 -6 26 12 16 24', { stroke: ink.line, width: 1.5 })) +
    path('M-18 26H18L13 33H-13Z', { fill: ink.fill.deep, stroke: ink.line, width: 2 }) +
    path('M0 33V47M-7 33V42M7 33V42', { stroke: ink.second.base, width: 2.4 })
  )
}

/** A rocket of the festival sky: a burst of sparks. */
export function firework(ink: Ink): string {
  const spark = (turn: number, reach: number, colour: string) => {
    const radians = (turn * Math.PI) / 180
    const at = (radius: number) => [radius * Math.sin(radians), -radius * Math.cos(radians)] as const
    const from = at(reach * 0.3)
    const to = at(reach * 0.82)
    const line = `M${from.map(Math.round).join(' ')}L${to.map(Math.round).join(' ')}`
    return path(line, { stroke: colour, width: 2.6 }) + dots([at(reach)], 3.2, colour)
  }
  const turns = Array.from({ length: 12 }, (_, index) => index * 30)
  return (
    turns.map((turn) => spark(turn, 45, ink.fill.base)).join('') +
    turns.map((turn) => spark(turn + 15, 31, ink.flame.light)).join('') +
    circle(0, 0, 6, { fill: ink.second.light })
  )
}

function burning(ink: Ink): string {
  return (
    path('M0 -47C3 -34 12 -24 12 -12C12 -3 6 2 0 2C-6 2 -12 -3 -12 -12C-12 -24 -3 -34 0 -47Z', {
      fill: ink.flame.base,
      stroke: ink.line,
      width: 1.6,
    }) +
    path('M0 -30C2 -22 7 -18 7 -10C7 -4 4 -1 0 -1C-4 -1 -7 -4 -7 -10C-7 -18 -2 -22 0 -30Z', {
      fill: ink.flame.light,
    })
  )
}

function glow(x: number, y: number, ink: Ink): string {
  return [44, 34, 25].map((radius) => circle(x, y, radius, { fill: ink.flame.base, opacity: 0.13 })).join('')
}
