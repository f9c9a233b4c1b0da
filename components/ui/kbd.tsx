export function Kbd({ children }: { children: string }) {
  return (
    <kbd className="inline-grid h-5 min-w-5 place-items-center rounded-xs border border-border bg-sunken px-1 font-sans text-2xs text-muted">
      {children}
    </kbd>
  )
}
