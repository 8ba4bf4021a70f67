const turns = [0, 60, 120, 180, 240, 300]

/** Decorative line drawing of empty states. */
export function EmptyMotif() {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      width={160}
      height={160}
      viewBox="-80 -80 160 160"
      fill="none"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <g stroke="currentColor" opacity="0.45">
        {turns.map((turn) => (
          <path key={turn} d="M0-26C21-38 21-58 0-75C-21-58-21-38 0-26Z" transform={`rotate(${turn + 30})`} />
        ))}
      </g>
      <g stroke="var(--color-accent, currentColor)">
        {turns.map((turn) => (
          <g key={turn} transform={`rotate(${turn})`}>
            <path d="M0-20C16-30 17-45 0-60C-17-45-16-30 0-20Z" />
            <path d="M0-29C6-34 6-41 0-47C-6-41-6-34 0-29Z" />
          </g>
        ))}
        <circle r="14" />
      </g>
      <g fill="currentColor">
        <circle r="3" />
        {turns.map((turn) => (
          <g key={turn} transform={`rotate(${turn})`}>
            <circle cy="-8.5" r="1.3" />
            <circle cy="-70" r="2" />
          </g>
        ))}
      </g>
    </svg>
  )
}
