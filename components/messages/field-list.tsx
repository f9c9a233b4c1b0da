import type { CSSProperties, Ref } from 'react'

type Props = {
  id: string
  names: string[]
  current: number
  onTake: (name: string) => void
  style?: CSSProperties
  ref?: Ref<HTMLDivElement>
}

/** The merge fields that fit what is being typed; the keys stay with the text. */
export function FieldList({ id, names, current, onTake, style, ref }: Props) {
  return (
    <div
      ref={ref}
      id={id}
      role="listbox"
      aria-label="Merge fields"
      style={style}
      className="absolute z-20 max-h-64 w-56 overflow-y-auto rounded-md bg-raised p-1 shadow-raised"
    >
      {names.map((name, index) => (
        <div
          key={name}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === current}
          // Before the click would take the focus out of the text.
          onPointerDown={(event) => {
            event.preventDefault()
            onTake(name)
          }}
          className="cursor-pointer truncate rounded-xs px-2 py-1 font-mono text-sm hover:bg-hover aria-selected:bg-accent-subtle aria-selected:text-accent-text"
        >
          {name}
        </div>
      ))}
    </div>
  )
}
