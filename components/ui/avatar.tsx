/** Initials of a name or an address; decorative, because the name is beside it. */
export function Avatar({ name }: { name: string }) {
  const words = name
    .replace(/@.*/, '')
    .split(/[\s._-]+/)
    .filter(Boolean)
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
  return (
    <span
      aria-hidden
      data-initials={initials || '?'}
      className="grid size-6 shrink-0 place-items-center rounded-full bg-accent-subtle text-2xs font-semibold text-accent-text uppercase before:content-[attr(data-initials)]"
    />
  )
}
