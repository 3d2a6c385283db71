export function ProductMark({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" fill="none" stroke="currentColor">
      <rect x="3" y="5" width="26" height="22" rx="2" strokeWidth="2" />
      <path d="M3 12.5h26M12 12.5V27" strokeWidth="2" />
      <path
        d="m16 19.6 3.2 3.2 6-6.2"
        stroke="var(--board-accent)"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  )
}
