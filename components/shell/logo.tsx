/** An envelope opening. */
export function Logo({ className = 'size-5' }: { className?: string }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" className={`shrink-0 ${className}`} fill="none">
      <rect width="20" height="20" rx="5" className="fill-accent" />
      <path
        d="M5 9.2 10 5.4l5 3.8v4.6a.9.9 0 0 1-.9.9H5.9a.9.9 0 0 1-.9-.9zm0 0 5 3 5-3"
        className="stroke-on-accent"
        strokeWidth="1.4"
        strokeLinejoin="round"
      />
    </svg>
  )
}
