/**
 * Creates a valid grayscale progressive JPEG with `passes` scans of each of the 63 AC coefficients: up to 882 scans in about
 * 100 kB, each of which the decoder applies to the whole image.
 *
 * @param side width and height in pixels
 */
export function scanBomb(side: number, passes: number): Buffer {
  const blocks = Math.ceil(side / 8) ** 2
  const parts = [
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...Array<number>(64).fill(1)]),
    segment(0xc2, [8, side >> 8, side & 0xff, side >> 8, side & 0xff, 1, 1, 0x11, 0]),
    segment(0xc4, [0x00, 1, ...Array<number>(15).fill(0), 0]),
    segment(0xc4, [0x10, 1, ...Array<number>(15).fill(0), 0xe0]),
    scan(0, 0, 0),
    Buffer.alloc(Math.ceil(blocks / 8)),
  ]
  const emptyScan = emptyBlocks(blocks)
  for (let frequency = 1; frequency < 64; frequency += 1) {
    parts.push(scan(frequency, frequency, passes - 1), emptyScan)
    for (let bit = passes - 2; bit >= 0; bit -= 1) {
      parts.push(scan(frequency, frequency, ((bit + 1) << 4) | bit), emptyScan)
    }
  }
  return Buffer.concat([...parts, Buffer.from([0xff, 0xd9])])
}

function segment(marker: number, content: readonly number[]): Buffer {
  const length = content.length + 2
  return Buffer.from([0xff, marker, length >> 8, length & 0xff, ...content])
}

function scan(from: number, to: number, bits: number): Buffer {
  return segment(0xda, [1, 1, 0, from, to, bits])
}

/** Encodes a scan of empty blocks as end-of-band runs of 16,384 to 32,767 blocks. */
function emptyBlocks(blocks: number): Buffer {
  let bits = ''
  for (let remaining = blocks; remaining > 0;) {
    const run = remaining >= 2 * 16_384 ? 16_384 : remaining
    bits += `0${(run - 16_384).toString(2).padStart(14, '0')}`
    remaining -= run
  }
  const bytes = bits.match(/.{1,8}/g) ?? []
  return Buffer.from(
    bytes.flatMap((byte) => {
      const value = Number.parseInt(byte.padEnd(8, '1'), 2)
      return value === 0xff ? [value, 0] : [value]
    }),
  )
}
