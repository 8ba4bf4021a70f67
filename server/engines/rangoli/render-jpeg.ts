import sharp from 'sharp'
import { grain } from './grain.ts'

/** Rasterizes the SVG, dusts it, and writes it as a JPEG that carries `xmp`; runs on libvips' threads. */
export async function renderJpeg(svg: string, xmp: string): Promise<Uint8Array> {
  return sharp(Buffer.from(svg))
    .composite([{ input: grain.pixels, raw: grain.shape, tile: true }])
    .flatten()
    .withXmp(xmp)
    .jpeg({ quality: 88, chromaSubsampling: '4:4:4' })
    .toBuffer()
}
