import sharp from 'sharp'

function plain(background: string) {
  return sharp({ create: { width: 32, height: 24, channels: 3, background } })
}

/** Small pictures of each format, and things that pretend to be. */
export const pictures = {
  jpeg: await plain('#c30').jpeg().toBuffer(),
  preview: await plain('#888').jpeg().toBuffer(),
  sharper: await plain('#a64').jpeg().toBuffer(),
  png: await plain('#0a5').png().toBuffer(),
  webp: await plain('#04c').webp().toBuffer(),
  svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
  html: Buffer.from('<!doctype html><title>Not here</title>'),
  /** Begins like a JPEG and has 40 MB. */
  huge: Buffer.alloc(40_000_000, Buffer.from('\xff\xd8\xff\xe0', 'latin1')),
} as const
