import { petal } from '../shapes.ts'
import { motifNamed } from '../figures/catalog.ts'
import { motifColors } from '../palette.ts'
import type { Random } from '../random.ts'
import type { Scene } from '../scene.ts'
import { inked, num, path, type Point, xy } from '../svg.ts'
import { backdrop, crowd, figure, footing } from './pictures.ts'

/** A tree with the subjects in it, or birds, and those that belong to the ground below. */
export function tree(scene: Scene): string {
  const { design, palette, canvas, random } = scene
  const { halfWidth, halfHeight } = canvas
  const count = Math.max(1, Math.round(halfWidth / halfHeight / 1.3))
  const ground = halfHeight - 116
  const span = (2 * halfWidth) / count
  const subjects = crowd(design, 'bird').filter((name) => name !== 'tree')
  const isBelow = (name: string) => motifNamed(name).surroundings === 'ground'
  const below = subjects.filter(isBelow)
  const above = subjects.filter((name) => !isBelow(name))
  const guests = above.length > 0 ? above : Array<string>(5 * count + 1).fill('bird')
  const size = above.length > 0 && above.length < 4 ? 210 : 128
  const trees = Array.from({ length: count }, (_, index) => {
    const x = (index - (count - 1) / 2) * span
    const crown = { x, y: -halfHeight * 0.16, rx: span * 0.45, ry: halfHeight * 0.7 }
    return grow(crown, ground, random.fork(`tree ${index}`))
  })
  const perches = choosePerches(trees.flat(), guests.length, random)
  const isFree = ([x, y]: Point) =>
    perches.every((perch) => Math.hypot(perch[0] - x, perch[1] - y + size * 0.3) > size * 0.46)
  const wood = palette.isDark ? palette.stroke : palette.swatches[0].deep
  return [
    '<!--tree--><!--leaf-->',
    backdrop(scene, 0),
    footing(scene, ground),
    ...trees.map(
      (nodes) =>
        branches(nodes, wood) +
        leaves(
          scene,
          nodes.filter(({ at }) => isFree(at)),
        ),
    ),
    ...guests.map((name, index) => {
      // One of a flock has left the tree.
      const isAway = above.length === 0 && index === guests.length - 1
      const [x, y] = isAway ? [halfWidth - 110, -halfHeight + 130] : (perches[index] ?? [0, 0])
      return figure(name, motifColors(palette, index + 1), {
        size: isAway ? 96 : size,
        x,
        y: y - size * 0.3,
        flip: x > 0 !== isAway,
      })
    }),
    ...below.map((name, index) => {
      const share = below.length === 1 ? -0.46 : (2 * index + 1) / below.length - 1
      const tall = Math.min(330, (1.5 * halfWidth) / below.length)
      return figure(name, motifColors(palette, index), {
        size: tall,
        x: share * halfWidth * 0.84,
        y: ground - tall * 0.44,
        flip: share > 0,
      })
    }),
  ].join('')
}

interface Node {
  readonly at: Point
  readonly parent: Node | undefined
  /** Width of the branch to the parent. */
  width: number
  children: number
}

interface Crown {
  readonly x: number
  readonly y: number
  readonly rx: number
  readonly ry: number
}

/** Grows branches towards points of the crown until each is reached (space colonization, Runions et al. 2007). */
function grow({ x, y, rx, ry }: Crown, ground: number, random: Random): readonly Node[] {
  const step = 15
  const buds = Array.from({ length: Math.round((rx * ry) / 500) }, () => {
    const [radius, angle] = [Math.sqrt(random.between(0, 1)), random.between(0, 2 * Math.PI)]
    const at: Point = [x + rx * radius * Math.cos(angle), y + ry * radius * Math.sin(angle)]
    return { at, nearest: undefined as Node | undefined, distance: Infinity }
  })
  const nodes: Node[] = []
  let fresh: Node[] = []
  const add = (at: Point, parent: Node | undefined) => {
    const node = { at, parent, width: 0, children: 0 }
    if (parent) parent.children += 1
    nodes.push(node)
    fresh.push(node)
    return node
  }
  let trunk = add([x, ground + 30], undefined)
  while (trunk.at[1] > y + ry * 0.55) {
    trunk = add([trunk.at[0] + random.between(-7, 7), trunk.at[1] - step], trunk)
  }
  for (let round = 0; round < 150 && fresh.length > 0; round++) {
    for (const bud of buds) {
      for (const node of fresh) {
        const distance = squaredDistance(bud.at, node.at)
        if (distance < bud.distance) {
          bud.nearest = node
          bud.distance = distance
        }
      }
    }
    fresh = []
    const pulls = new Map<Node, readonly [x: number, y: number]>()
    for (const { at, nearest, distance: squared } of buds) {
      const distance = Math.sqrt(squared)
      if (nearest === undefined || nearest.children > 2 || distance < 1.6 * step || distance > 12 * step)
        continue
      const pull = pulls.get(nearest) ?? [random.between(-0.3, 0.3), random.between(-0.3, 0.3)]
      pulls.set(nearest, [
        pull[0] + (at[0] - nearest.at[0]) / distance,
        pull[1] + (at[1] - nearest.at[1]) / distance,
      ])
    }
    for (const [node, [dx, dy]] of pulls) {
      const length = Math.hypot(dx, dy) || 1
      add([node.at[0] + (dx / length) * step, node.at[1] + (dy / length) * step], node)
    }
  }
  // A branch is as thick as those that it carries together.
  for (const node of nodes.toReversed()) {
    node.width = Math.max(2.4, node.width ** (1 / 2.3))
    if (node.parent) node.parent.width += node.width ** 2.3
  }
  return nodes
}

function branches(nodes: readonly Node[], color: string): string {
  const byWidth = new Map<number, string>()
  for (const { at, parent, width } of nodes) {
    if (parent === undefined) continue
    const rounded = width > 8 ? Math.round(width / 2) * 2 : Math.round(width)
    byWidth.set(rounded, `${byWidth.get(rounded) ?? ''}M${xy(parent.at)}L${xy(at)}`)
  }
  return Array.from(byWidth, ([width, d]) => path(d, { stroke: color, width })).join('')
}

/** Leaves on both sides of thin branches, some of them in other colors. */
function leaves({ palette }: Scene, nodes: readonly Node[]): string {
  const colors = [
    palette.leaf,
    palette.leaf,
    palette.leaf,
    palette.flame,
    palette.swatches[0],
    palette.swatches[1] ?? palette.leaf,
  ]
  const shapes = colors.map(({ base }, index) => {
    const blade = inked(petal(2, 38, 19, 'leaf'), base, palette.stroke, 1.4)
    return `<g id="leaf${index}">${blade}</g>`
  })
  const placed = nodes.flatMap(({ at, parent, width }, index) => {
    if (parent === undefined || width > 6 || index % 2 === 0) return []
    const heading = (Math.atan2(at[0] - parent.at[0], parent.at[1] - at[1]) * 180) / Math.PI
    return [-52, 52].map((side, half) => {
      const turn = Math.round(heading + side)
      return `<use href="#leaf${(index * 3 + half) % colors.length}" transform="translate(${num(at[0])} ${num(at[1])})rotate(${turn})"/>`
    })
  })
  return `<defs>${shapes.join('')}</defs>${placed.join('')}`
}

/** Chooses nodes of thin branches that are far from each other. */
function choosePerches(nodes: readonly Node[], count: number, random: Random): readonly Point[] {
  const free = nodes.filter(({ width }) => width < 9).map(({ at }) => ({ at, distance: Infinity }))
  let next = free[random.integer(0, Math.max(0, free.length - 1))]
  const chosen: Point[] = []
  while (next !== undefined && chosen.length < count) {
    const { at } = next
    chosen.push(at)
    for (const one of free) one.distance = Math.min(one.distance, squaredDistance(one.at, at))
    next = free.reduce((a, b) => (b.distance > a.distance ? b : a))
  }
  return chosen
}

function squaredDistance([ax, ay]: Point, [bx, by]: Point): number {
  return (ax - bx) ** 2 + (ay - by) ** 2
}
