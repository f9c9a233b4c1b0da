import { useId } from 'react'
import { Input } from '#components/ui/controls/input'
import { Badge } from '#components/ui/feedback/badge'
import { fieldsUsed, mergeFieldFallback, unknownFields } from './merge-fields.tsx'

type Props = {
  /** All texts of the message, concatenated. */
  text: string
  fields: string[]
  disabled?: boolean | undefined
  onFallback: (name: string, fallback: string) => void
}

/** The fields the text uses, with their fallbacks. */
export function UsedFields({ text, fields, disabled, onFallback }: Props) {
  const id = useId()
  const used = fieldsUsed(text).filter((name) => name !== 'unsubscribe_url')
  if (used.length === 0) return null
  return (
    <fieldset disabled={disabled} className="min-w-0 rounded-sm border border-border">
      <legend className="sr-only">Merge fields in this text</legend>
      <ul className="divide-y divide-border text-sm">
        {used.map((name) => {
          const fallback = mergeFieldFallback(text, name)
          const isUnknown = fields.length > 0 && unknownFields(text, fields).includes(name)
          return (
            <li key={name} className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 px-2.5 py-1">
              <code className="min-w-0 flex-1 truncate">{name}</code>
              {isUnknown && <Badge tone="danger">No lead has it</Badge>}
              {fallback === undefined ? (
                <span className="text-muted">set in the text</span>
              ) : (
                <span className="flex items-center gap-2 text-muted">
                  <label htmlFor={`${id}-${name}`}>
                    if empty<span className="sr-only">, {name} becomes</span>
                  </label>
                  <Input
                    id={`${id}-${name}`}
                    className="w-36!"
                    placeholder="no email is sent"
                    value={fallback ?? ''}
                    onChange={(event) => onFallback(name, event.target.value)}
                  />
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}
