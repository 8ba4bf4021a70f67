/** File name of an archive: `rangoli-data-2026-11-21.zip`. */
export function archiveName(siteName: string, content: 'data' | 'images', today: Date): string {
  const site = siteName
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
  const day = [today.getFullYear(), today.getMonth() + 1, today.getDate()]
    .map((number) => String(number).padStart(2, '0'))
    .join('-')
  return [site, content, day].filter(Boolean).join('-').concat('.zip')
}
