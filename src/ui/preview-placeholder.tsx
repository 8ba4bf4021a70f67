const steps = [-2, -1, 0, 1, 2]
const spacing = 44
const dots = steps
  .flatMap((x) => steps.map((y) => ({ x, y })))
  .filter(({ x, y }) => Math.abs(x) + Math.abs(y) <= 2)

/** Closed line of a kolam around the dots, counterclockwise from the left. */
const line =
  'M-66 0C-73 7-78 13-88 13A13 13 0 0 1-88-13C-78-13-73-7-66 0L0 66C7 73 13 78 13 88A13 13 0 0 1-13 88' +
  'C-13 78-7 73 0 66L66 0C73-7 78-13 88-13A13 13 0 0 1 88 13C78 13 73 7 66 0L0-66' +
  'C-7-73-13-78-13-88A13 13 0 0 1 13-88C13-78 7-73 0-66L-66 0Z'

/** Decorative drawing of a kolam, shown before an image has been generated. */
export function PreviewPlaceholder({ lineClass }: { lineClass?: string | undefined }) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      className="contain"
      viewBox="-128 -128 256 256"
      fill="none"
      strokeLinecap="round"
    >
      <g fill="currentColor" opacity="0.5">
        {dots.map(({ x, y }) => (
          <circle key={`${x} ${y}`} cx={x * spacing} cy={y * spacing} r="3.2" />
        ))}
      </g>
      <path
        d={line}
        pathLength="1"
        className={lineClass}
        stroke="var(--color-accent, currentColor)"
        strokeWidth="3"
      />
    </svg>
  )
}
