import { num } from './svg.ts'

export type PetalTip = 'lotus' | 'round' | 'leaf' | 'drop'

/** Control points of the right half, from foot to tip: x in half widths, y in lengths from the foot. */
const halves: Record<PetalTip, readonly (readonly [x: number, y: number])[]> = {
  lotus: [
    [0, 0],
    [0.75, 0.12],
    [1.5, 0.56],
    [0.3, 0.88],
    [0.14, 0.92],
    [0.06, 0.96],
    [0, 1],
  ],
  round: [
    [0, 0],
    [0.55, 0.2],
    [1, 0.45],
    [1, 0.68],
    [1, 0.9],
    [0.5, 1],
    [0, 1],
  ],
  leaf: [
    [0, 0],
    [0.5, 0.1],
    [1, 0.28],
    [1, 0.48],
    [1, 0.7],
    [0.35, 0.86],
    [0, 1],
  ],
  drop: [
    [0, 0],
    [0.3, 0.3],
    [1, 0.5],
    [1, 0.74],
    [1, 0.9],
    [0.56, 1],
    [0, 1],
  ],
}

/** The outline of a petal that stands on the up axis, its foot `inner` and its tip `outer` from the middle. */
export function petal(inner: number, outer: number, width: number, tip: PetalTip): string {
  const write = (side: number, [x, y]: readonly [number, number]) =>
    `${num((side * x * width) / 2)} ${num(-inner - y * (outer - inner))}`
  const [foot, ...rising] = halves[tip].map((point) => write(1, point))
  const falling = halves[tip].map((point) => write(-1, point)).toReversed()
  return `M${foot ?? ''}C${[...rising, ...falling.slice(1)].join(' ')}Z`
}
