import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { accentTokens } from './accent.ts'
import { contrast } from '../../shared/oklch.ts'
import { colorOf, themesOf } from './colors.ts'

/** Text and background tokens, which must have at least the text contrast of WCAG 2.2 AA. */
const textPairs = [
  ...[
    '--paper',
    '--surface',
    '--surface-raised',
    '--surface-sunk',
    '--surface-hover',
    '--danger-wash',
  ].flatMap((background) => ['--ink', '--ink-quiet'].map((ink) => [ink, background] as const)),
  ...['--paper', '--surface', '--surface-raised', '--surface-hover'].map(
    (background) => ['--accent-ink', background] as const,
  ),
  ...['--paper', '--surface', '--surface-raised'].map((background) => ['--danger-ink', background] as const),
  ['--on-accent', '--accent'],
  ['--on-accent', '--accent-hover'],
  ['--on-danger', '--danger'],
  ['--on-danger', '--danger-hover'],
] as const

/** Tokens of borders and shapes that identify controls, and their backgrounds. */
const shapePairs = ['--paper', '--surface', '--surface-raised'].flatMap((background) =>
  ['--control-line', '--focus', '--accent-ink', '--danger-ink', '--accent-edge'].map(
    (line) => [line, background] as const,
  ),
)

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
const themes = themesOf(css)
const accents = ['#ffffff', '#000000', '#ffff00', '#0000ff', '#767676', '#c8102e'].flatMap((accent) =>
  Object.entries(accentTokens(accent, css)).map(([theme, tokens]) => ({
    accent,
    theme,
    tokens: { ...themes[theme as keyof typeof themes], ...tokens },
  })),
)
const accentPairs = (pairs: readonly (readonly [string, string])[]) =>
  pairs.filter((pair) => pair.some((name) => name.includes('accent')))

describe.each(Object.entries(themes))('%s', (name, tokens) => {
  const minTextContrast = name === 'hc' ? 7 : 4.5

  test.each(textPairs)('%s has enough text contrast on %s', (ink, background) => {
    expect(contrast(colorOf(tokens, ink), colorOf(tokens, background))).toBeGreaterThanOrEqual(
      minTextContrast,
    )
  })

  test.each(shapePairs)('%s has enough contrast on %s', (line, background) => {
    expect(contrast(colorOf(tokens, line), colorOf(tokens, background))).toBeGreaterThanOrEqual(3)
  })

  test.each([
    ['white', [1, 1, 1]],
    ['black', [0, 0, 0]],
  ] as const)('the overlay has enough text contrast over a %s image', (_, image) => {
    expect(contrast(colorOf(tokens, '--on-veil'), colorOf(tokens, '--veil', image))).toBeGreaterThanOrEqual(
      minTextContrast,
    )
  })
})

test.each(accents)('an accent of $accent has enough contrast in $theme', ({ theme, tokens }) => {
  const textContrast = theme === 'hc' ? 7 : 4.5
  for (const [minimum, pairs] of [
    [textContrast, textPairs],
    [3, shapePairs],
  ] as const)
    for (const [one, other] of accentPairs(pairs))
      expect([one, other, contrast(colorOf(tokens, one), colorOf(tokens, other)) >= minimum]).toEqual([
        one,
        other,
        true,
      ])
})
