import { thumbHashToAverageRGBA } from 'thumbhash'

/** The average colour of the image that a base64 ThumbHash describes, for the time until it has loaded. */
export function averageColour(placeholder: string): string {
  // Only the first six bytes of the hash say anything about the average; they are eight characters of base64.
  const bytes = Uint8Array.from(atob(placeholder.slice(0, 8)), (character) => character.charCodeAt(0))
  const { r, g, b } = thumbHashToAverageRGBA(bytes)
  return `rgb(${[r, g, b].map((channel) => Math.round(channel * 255)).join(' ')})`
}
