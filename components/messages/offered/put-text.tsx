type Control = HTMLInputElement | HTMLTextAreaElement

/** Uses the browser's own command if available, so that one Undo removes the text. */
export function putText(control: Control, text: string, from: number, to: number) {
  control.focus()
  control.setSelectionRange(from, to)
  if (document.execCommand('insertText', false, text)) return
  control.setRangeText(text, from, to, 'end')
  control.dispatchEvent(new Event('input', { bubbles: true }))
}
