/** Long enough to tell images apart, short enough to be listened to. */
const alternativeTextLength = 160

/** A text cut between words, near `maxLength`, and never inside a character. */
export function shortened(text: string, maxLength = alternativeTextLength): string {
  const characters = Array.from(text)
  if (characters.length <= maxLength) return text
  const cut = characters.slice(0, maxLength).join('')
  const lastSpace = cut.lastIndexOf(' ')
  return `${lastSpace > maxLength / 2 ? cut.slice(0, lastSpace) : cut}…`
}
