/**
 * Writes `figures.jsonl` and `words/` from open data: drawings of Fluent Emoji, and their names and keywords of the Unicode CLDR.
 * Run it after an update of either package: `npm run build:figures`.
 *
 * @see https://github.com/microsoft/fluentui-emoji MIT, Copyright (c) Microsoft Corporation
 * @see https://cldr.unicode.org/translation/characters Unicode-3.0
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import sharp from 'sharp'
import { runnerImport } from 'vite'

/** Languages of `words/`: those of the interface first, which win where several know the words of a prompt. */
const languages =
  'en es hi ar fr de pt it nl pl tr id sw vi ru uk bn ta te mr gu kn ml pa ur fa am th zh ja ko'.split(' ')

/** Languages that put the head of a compound first, as in *manzana roja*. */
const headFirst = new Set(['es', 'ar', 'fr', 'pt', 'it', 'id', 'sw', 'vi', 'ur', 'fa', 'th'])

/**
 * Choices of ours: `preferred` figures of words that several figures have, the first of which wins in every language; `people`,
 * what is drawn of people, feelings and symbols; `excluded` things; `handMade`, figures of `hand-made.json` that are drawn
 * instead; `surroundings` of figures that do not stand on the ground.
 */
const sources = JSON.parse(readFileSync(path.join(import.meta.dirname, 'sources.json'), 'utf8'))
const namesIn = (/** @type {string} */ list) => list.split(' ')
/** Places in `preferred`. */
const preference = new Map(namesIn(sources.preferred).map((name, index) => [name, index]))
const excluded = new Set(namesIn(sources.excluded))
const { handMade } = sources

const groupsOfPeople = ['People & Body', 'Smileys & Emotion', 'Symbols']
/** Groups of figures, in the order in which they win a word: those of things first. */
const groups = [
  'Animals & Nature',
  'Food & Drink',
  'Travel & Places',
  'Objects',
  'Activities',
  ...groupsOfPeople,
]
const outdoors = ['Animals & Nature', 'Travel & Places']

const surroundingOf = new Map(
  Object.entries(sources.surroundings).flatMap(([where, list]) => namesIn(list).map((name) => [name, where])),
)

const side = 32
/** Bytes of the most detailed drawings that are kept. */
const maxBodyBytes = 9_000

const require = createRequire(import.meta.url)
const read = (/** @type {string} */ file) => JSON.parse(readFileSync(require.resolve(file), 'utf8'))
const icons = read('@iconify-json/fluent-emoji-flat/icons.json').icons
const characters = read('@iconify-json/fluent-emoji-flat/chars.json')
const categories = read('@iconify-json/fluent-emoji-flat/metadata.json').categories

const groupOf = new Map(
  Object.entries(categories).flatMap(([category, names]) => names.map((name) => [name, category])),
)
const named = new Set(namesIn(sources.people))

/** Emoji of each figure, without the selector of its presentation. */
const emojiOf = new Map(
  Object.entries(characters).map(([code, name]) => [
    name,
    String.fromCodePoint(...code.split('-').map((point) => Number.parseInt(point, 16))),
  ]),
)

/** Name of the figure of each emoji. */
const nameOf = new Map([...emojiOf].map(([name, emoji]) => [emoji, name]))

/** Name of the drawing that shows a figure: that of its body, or one that is made by hand. */
function figureOf(name) {
  const own = handMade[name] ?? name
  return own.endsWith('-face') && icons[own.slice(0, -5)] !== undefined ? own.slice(0, -5) : own
}

const names = Object.keys(icons).filter((name) => isDrawn(name))

function isDrawn(name) {
  const { body, hidden } = icons[name]
  const group = groupOf.get(name)
  if (hidden || !groups.includes(group) || excluded.has(name) || !emojiOf.has(name)) return false
  if (/-(light|medium|dark)$/.test(name) || /-(thirty|oclock)$/.test(name)) return false
  if (body.length > maxBodyBytes || /<(use|mask)/.test(body)) return false
  return !groupsOfPeople.includes(group) || named.has(name)
}

// Drawings

const hexColor = /#[0-9a-f]{6}\b|#[0-9a-f]{3}\b/gi

/** Removes what has an id: a gradient becomes its first color, and nothing is clipped. */
function flatten(body) {
  const stops = body.matchAll(/id="([^"]+)"[^>]*><stop[^>]* stop-color="([^"]+)"/g)
  const firstColors = new Map(Array.from(stops, ([, id, color]) => [id, color]))
  return body
    .replace(/url\(#([^)]+)\)/g, (url, id) => firstColors.get(id) ?? url)
    .replace(/<defs>.*?<\/defs>|<filter.*?<\/filter>| (?:clip-path|filter)="[^"]*"/gs, '')
    .replace(/ fill="none"(?=>)/, '')
    .replace(/^<g>(.*)<\/g>$/s, '$1')
}

/** Rasterizes a drawing of `size` pixels. */
async function rasterize(body, size) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}">${body}</svg>`
  return sharp(Buffer.from(svg)).ensureAlpha().raw().toBuffer()
}

function rgbOf(hex) {
  const digits = hex.length === 4 ? hex.slice(1).replaceAll(/./g, '$&$&') : hex.slice(1)
  return [0, 2, 4].map((start) => Number.parseInt(digits.slice(start, start + 2), 16))
}

const oklchFile = path.join(import.meta.dirname, '../../../../shared/oklch.ts')
const { module: conversions } = await runnerImport(oklchFile, { configFile: false, logLevel: 'error' })
const oklch = (hex) => conversions.toOklch(rgbOf(hex).map((byte) => conversions.decode(byte / 255)))

function hueDistance(a, b) {
  const turn = Math.abs(a - b) % 360
  return Math.min(turn, 360 - turn)
}

/** Number of pixels next to each color. */
function weigh(pixels, hexes) {
  const colors = hexes.map(rgbOf)
  const weights = hexes.map(() => 0)
  for (let index = 0; index < pixels.length; index += 4) {
    if (pixels[index + 3] < 200) continue
    const distances = colors.map((color) =>
      color.reduce((sum, value, channel) => sum + (value - pixels[index + channel]) ** 2, 0),
    )
    weights[distances.indexOf(Math.min(...distances))] += 1
  }
  return weights
}

/**
 * Replaces the colors of a drawing by `$0`, `$1`, …, and describes each: `k` is the dark of outlines, `w` white, another one a
 * hue of the figure, the largest first, with the difference of its lightness.
 */
async function draw(name) {
  const body = flatten(icons[name].body)
  const hexes = [...new Set(body.match(hexColor) ?? [])]
  const weights = weigh(await rasterize(body, 64), hexes)
  const hues = []
  const colors = new Map()
  const byWeight = [...hexes.keys()].toSorted((a, b) => weights[b] - weights[a])
  for (const hex of byWeight.map((index) => hexes[index])) {
    const color = oklch(hex)
    if (color.l < 0.3 && color.c < 0.09) colors.set(hex, 'k')
    else if (color.l > 0.93 && color.c < 0.03) colors.set(hex, 'w')
    else {
      const isGray = color.c < 0.05
      const similar = hues.findIndex((hue) =>
        isGray
          ? hue.c < 0.05
          : hue.c >= 0.05 && hueDistance(hue.h, color.h) < 38 && Math.abs(hue.l - color.l) < 0.36,
      )
      const index = similar === -1 ? hues.push(color) - 1 : similar
      const lighter = color.l - hues[index].l
      colors.set(hex, `${index}${lighter < 0 ? '' : '+'}${lighter.toFixed(2)}`)
    }
  }
  const pixels = await rasterize(body, 32)
  const order = [...colors.keys()]
  const stands = [...outdoors, 'People & Body'].includes(groupOf.get(name))
  return {
    in: surroundingOf.get(name) ?? (stands ? 'ground' : 'none'),
    ...(isDirectional(name, pixels) && { facesLeft: true }),
    hues: hues.map(({ l, c, h }) => [Number(l.toFixed(2)), Number(c.toFixed(2)), Math.round(h)]),
    colors: [...colors.values()],
    body: body.replace(hexColor, (color) => `$${order.indexOf(color)}`),
  }
}

/** Animals and vehicles of which one side differs from the other face left. */
function isDirectional(name, pixels) {
  if (!outdoors.includes(groupOf.get(name))) return false
  let difference = 0
  for (let y = 0; y < 32; y += 1) {
    for (let x = 0; x < 16; x += 1) {
      difference += Math.abs(pixels[(y * 32 + x) * 4 + 3] - pixels[(y * 32 + 31 - x) * 4 + 3])
    }
  }
  return difference / (32 * 16) > 30
}

// Words

const separators = /[,،、؛;|]/
const spaces = /[\s:()\-–—“”"']+/

const normalize = (/** @type {string} */ text) => text.normalize('NFC').toLowerCase().trim()
const tokensOf = (/** @type {string} */ text) => text.split(spaces).filter(Boolean)

/** Name and keywords of each emoji. */
function annotationsOf(language) {
  const { annotations } = read(`cldr-annotations-full/annotations/${language}/annotations.json`)
  return new Map(
    Object.entries(annotations.annotations).map(([emoji, { tts = [], default: keywords = [] }]) => {
      const texts = (list) =>
        list
          .flatMap((text) => text.split(separators))
          .map(normalize)
          .filter((text) => text.length > 0)
      const [name, ...others] = texts(tts)
      return [emoji.replaceAll('\ufe0f', ''), { name, words: [...new Set([...others, ...texts(keywords)])] }]
    }),
  )
}

/** Compares the figures that have a word: negative where `a` wins. */
function compare(a, b, word) {
  const rank = ({ name, title }) => [
    title === word ? 0 : 1,
    preference.get(name) ?? 1_000,
    tokensOf(title).includes(word) ? 0 : 1,
    groups.indexOf(groupOf.get(name)),
    tokensOf(title).length,
    names.indexOf(name),
  ]
  const [left, right] = [rank(a), rank(b)]
  const index = left.findIndex((value, position) => value !== right[position])
  return index === -1 ? 0 : left[index] - right[index]
}

/** Words of each figure that win it, its name first, and words of what is not drawn with figures that are alike. */
function wordsOf(language) {
  const annotations = annotationsOf(language)
  const entries = names.flatMap((name) => {
    const annotation = annotations.get(emojiOf.get(name))
    return annotation?.name === undefined ? [] : [{ name, title: annotation.name, words: annotation.words }]
  })
  const candidates = new Map()
  const add = (word, entry) => candidates.set(word, [...(candidates.get(word) ?? []), entry])
  for (const entry of entries) for (const word of new Set([entry.title, ...entry.words])) add(word, entry)
  // The head of a compound is a word of it where no figure has this word.
  for (const entry of entries) {
    const tokens = tokensOf(entry.title)
    const head = headFirst.has(language) ? tokens[0] : tokens.at(-1)
    if (tokens.length > 1 && head.length > 2 && !candidates.has(head)) candidates.set(head, [entry])
  }
  const spread = new Map()
  const nouns = new Set()
  for (const [emoji, { name = '', words }] of annotations) {
    for (const token of tokensOf(name)) nouns.add(token)
    const drawing = figureOf(nameOf.get(emoji) ?? emoji)
    for (const word of [name, ...words]) spread.set(word, (spread.get(word) ?? new Set()).add(drawing))
  }
  const won = new Map(entries.map(({ name, title }) => [name, [title]]))
  for (const [word, list] of candidates) {
    const [winner] = list.toSorted((a, b) => compare(a, b, word))
    // A keyword of several figures is mostly a quality of all, such as *strong*, unless it is in one of their names.
    const isNoun = nouns.has(word) || (spread.get(word)?.size ?? 1) === 1
    if (winner.title !== word && isNoun && /\p{L}{2}|\p{L}\p{M}|\p{Lo}/u.test(word))
      won.get(winner.name).push(word)
  }
  return {
    words: Object.fromEntries(won),
    near: nearOf(annotations, entries, candidates),
  }
}

/** Words of emoji that are not drawn, with up to two figures that share most of their keywords. */
function nearOf(annotations, entries, candidates) {
  const drawn = new Set(names.map((name) => emojiOf.get(name)))
  const near = {}
  for (const [emoji, { name, words }] of annotations) {
    const group = groupOf.get(nameOf.get(emoji))
    if (name === undefined || drawn.has(emoji) || !nameOf.has(emoji) || groupsOfPeople.includes(group))
      continue
    const own = new Set(words)
    const [first, second] = entries
      .map((entry) => ({ name: entry.name, shared: entry.words.filter((word) => own.has(word)).length }))
      .filter(({ shared }) => shared > 1)
      .toSorted((a, b) => b.shared - a.shared)
    if (first === undefined) continue
    for (const word of [name, ...words]) {
      if (!candidates.has(word) && /^[\p{L}\p{M}]{3,}$/u.test(word))
        near[word] ??= [first, second].flatMap((one) => one?.name ?? []).join('|')
    }
  }
  return near
}

const write = (/** @type {string} */ file, /** @type {readonly string[]} */ lines) =>
  writeFileSync(path.join(import.meta.dirname, file), `${lines.join('\n')}\n`)

const drawnByHand = JSON.parse(readFileSync(path.join(import.meta.dirname, 'hand-made.json'), 'utf8'))
const spelling = path.join(import.meta.dirname, '../words/spelling.ts')
const { module } = await runnerImport(spelling, { configFile: false, logLevel: 'error' })
/** A word as the engine looks it up. */
const keyOf = (/** @type {string} */ word) => module.splitWords(word).join(' ')

/** Line of a figure: its name, its title in the language, and the words that mean it. */
function lineOf(name, title, words) {
  return `${name}\t${title}\t${[...new Set([title, ...words].map(keyOf).filter(Boolean))].join('|')}`
}

const drawings = []
for (const name of names) {
  if (figureOf(name) === name && drawnByHand[name] === undefined)
    drawings.push(JSON.stringify({ name, ...(await draw(name)) }))
}
write('figures.jsonl', drawings)
mkdirSync(path.join(import.meta.dirname, 'words'), { recursive: true })
const more = readFileSync(path.join(import.meta.dirname, 'more-words.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
write(
  'words/more.tsv',
  more.map((line) => {
    const [name, words] = line.split('\t')
    return lineOf(name, '', words.split('|'))
  }),
)
for (const language of languages) {
  const { words, near } = wordsOf(language)
  write(`words/${language}.tsv`, [
    ...Object.entries(words).map(([name, [title, ...others]]) => lineOf(figureOf(name), title, others)),
    ...Object.entries(near).map(([word, list]) => `\t${keyOf(word)}\t${list}`),
  ])
}
