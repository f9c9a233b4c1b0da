import { putText } from './put-text.tsx'
import { typedTemplate } from './typed-template.tsx'

type Control = HTMLInputElement | HTMLTextAreaElement

export const beforeCaret = ({ value, selectionStart, selectionEnd }: Control) =>
  selectionStart === selectionEnd ? value.slice(0, selectionStart ?? 0) : ''

/**
 * Where a template was asked for. Its text comes a moment later, in the place of the / and what is typed of its name; where
 * that is gone by then, or there was none, at the caret.
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
