const petalTurns = [0, 45, 90, 135, 180, 225, 270, 315]

/**
 * The logo: an eight-petaled rangoli. Decorative, next to the product's name.
 *
 * @param props.size width and height in CSS pixels, designed for 24 to 40
 */
export function Mark({ size = 32 }: { size?: number }) {
  return (
    <svg aria-hidden="true" focusable="false" width={size} height={size} viewBox="-16 -16 32 32">
      <g fill="var(--color-accent, currentColor)">
        {petalTurns.map((turn) => (
          <path
            key={turn}
            d="M0-6.2C3.6-9 2.6-12.6 0-15.4C-2.6-12.6-3.6-9 0-6.2Z"
            transform={`rotate(${turn})`}
          />
        ))}
        <circle r="2.4" />
      </g>
      <g fill="currentColor">
        {petalTurns.map((turn) => (
          <circle key={turn} cy="-12.6" r="1.1" transform={`rotate(${turn + 22.5})`} />
        ))}
      </g>
      <circle r="4.9" fill="none" stroke="currentColor" strokeWidth="1.3" />
    </svg>
  )
}
