import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import pLimit from 'p-limit'

/** Bytes that are parsed before other requests get a turn: about two milliseconds. */
const stepBytes = 256 * 1024

/** Strings above this size are parsed one by one, in steps. */
const longStringBytes = 4 * 1024

/** Maximum number of brackets, braces, colons and commas: those of a hundred calls, and far from what takes long. */
const structuralMax = 10_000

/** Maximum number of bytes besides long strings. */
const otherBytesMax = 1024 * 1024

const [quote, backslash, letterU] = [0x22, 0x5c, 0x75]
const structural = new Set(Buffer.from('{}[]:,'))

interface LongString {
  /** Offset after the quote. */
  readonly start: number
  /** Offset of the closing quote. */
  readonly end: number
  /** True for ASCII without escapes, such as base64. */
  readonly isPlain: boolean
}

// Parsing takes up to twice the memory of the body, so that of several bodies does not add up.
const oneAtATime = pLimit(1)

/**
 * Parses a large JSON body in steps, between which other requests are served. Large bodies contain images as strings, and little
 * else: the rest is limited before it is parsed.
 *
 * @throws SyntaxError for what is not JSON, or JSON with too many values
 */
export function parseLargeJson(json: Buffer): Promise<unknown> {
  return oneAtATime(async () => {
    const strings = await findLongStrings(json)
    // Stands for a long string. Random, so that no request contains it.
    const placeholder = randomUUID()
    const values: string[] = []
    let [rest, position] = ['', 0]
    for (const string of strings) {
      rest += `${json.toString('utf8', position, string.start)}${placeholder}${values.length}`
      position = string.end
      values.push(await valueOf(json, string))
    }
    return JSON.parse(rest + json.toString('utf8', position), (key, value: unknown) => {
      if (key.startsWith(placeholder)) throw new SyntaxError('Long key')
      if (typeof value !== 'string' || !value.startsWith(placeholder)) return value
      return values[Number(value.slice(placeholder.length))]
    })
  })
}

/** Finds the long strings of JSON that is short and simple apart from them. */
async function findLongStrings(json: Buffer): Promise<LongString[]> {
  const strings: LongString[] = []
  let [structuralCount, otherBytes] = [0, 0]
  let start = -1
  let isPlain = true
  let nextStep = stepBytes
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0
    if (start < 0) {
      otherBytes += 1
      if (byte === quote) [start, isPlain] = [at + 1, true]
      else if (structural.has(byte)) structuralCount += 1
    } else if (byte === quote) {
      if (at - start > longStringBytes) strings.push({ start, end: at, isPlain })
      else otherBytes += at - start
      start = -1
    } else if (byte === backslash) {
      isPlain = false
      at += 1
    } else if (byte >= 0x80) isPlain = false
    else if (byte < 0x20) throw new SyntaxError('Control character in a string')
    if (structuralCount > structuralMax || otherBytes > otherBytesMax)
      throw new SyntaxError('Too many values')
    if (at >= nextStep) {
      await nextTurn()
      nextStep = at + stepBytes
    }
  }
  return strings
}

async function valueOf(json: Buffer, { start, end, isPlain }: LongString): Promise<string> {
  if (isPlain) {
    await nextTurn()
    return json.toString('latin1', start, end)
  }
  const parts: string[] = []
  let from = start
  for (let at = start; at < end;) {
    if (json[at] === backslash) at += json[at + 1] === letterU ? 6 : 2
    else at += 1
    // A step ends neither within an escape nor within a character, which has four bytes at most.
    const isContinued = at - from < stepBytes + 4 && ((json[at] ?? 0) & 0xc0) === 0x80
    if (at < end && (at - from < stepBytes || isContinued)) continue
    parts.push(JSON.parse(`"${json.toString('utf8', from, Math.min(at, end))}"`) as string)
    from = at
    await nextTurn()
  }
  return parts.join('')
}
