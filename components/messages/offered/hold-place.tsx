import { putText } from './put-text.tsx'
import { typedTemplate } from './typed-template.tsx'

type Control = HTMLInputElement | HTMLTextAreaElement

export const beforeCaret = ({ value, selectionStart, selectionEnd }: Control) =>
  selectionStart === selectionEnd ? value.slice(0, selectionStart ?? 0) : ''

/**
 * Remembers where a template was requested. Its text arrives later and replaces the "/" and the typed name;
 * if these are gone, or there were none, it is inserted at the caret.
 */
export function holdPlace(control: Control): (text: string) => void {
  const to = control.selectionStart ?? 0
  const typed = typedTemplate(beforeCaret(control))
  const asked = typed === null ? '' : `/${typed}`
  const from = to - asked.length
  return (text) => {
    const isThere = asked !== '' && control.value.slice(from, to) === asked
    if (isThere) putText(control, text, from, to)
    else putText(control, text, control.selectionStart ?? 0, control.selectionEnd ?? 0)
  }
}
