import type { Fields } from '#lib/domain/campaigns/edit-conflict'

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

/** Saved values by control name; true is a checked box. */
export type Values = Readonly<
  Record<string, string | number | boolean | null | undefined | readonly string[]>
>

declare global {
  interface HTMLElementEventMap {
    /** Sent to a hidden control with the value to restore. */
    restore: CustomEvent<string>
  }
}

const UNKEPT = ['password', 'file', 'submit', 'button', 'reset', 'image']
const lines = (text: string) => text.replaceAll('\r\n', '\n')

/**
 * Secrets are never kept, since they would be readable in the browser; nor are files, which a page cannot
 * restore, nor fields marked so.
 */
function isKept(element: Element): element is Control {
  const isControl =
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  if (!isControl || element.name === '' || element.name === 'version' || element.name.startsWith('$'))
    return false
  return !element.disabled && !UNKEPT.includes(element.type) && element.dataset.unkept === undefined
}

const listControls = (form: HTMLFormElement): Control[] => [...form.elements].filter(isKept)

const isBox = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && (control.type === 'checkbox' || control.type === 'radio')

export function readFields(form: HTMLFormElement): Fields {
  const fields: Record<string, string[]> = {}
  for (const control of listControls(form)) {
    const texts = fields[control.name] ?? []
    fields[control.name] = texts
    if (isBox(control) ? control.checked : control.value !== '') texts.push(lines(control.value))
  }
  return sorted(fields)
}

/** The same for saved values. */
export function flattenFields(values: Values): Fields {
  return sorted(
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => {
        if (Array.isArray(value)) return [name, [...value]]
        if (typeof value === 'boolean') return [name, value ? ['on'] : []]
        const text = value === null || value === undefined ? '' : lines(String(value))
        return [name, text === '' ? [] : [text]]
      }),
    ),
  )
}

/** The order of checkboxes with one name does not matter. */
const sorted = (fields: Record<string, string[]>): Fields =>
  Object.fromEntries(Object.entries(fields).map(([name, texts]) => [name, texts.toSorted()]))

/** Sets a value as if it was typed, so that listeners and React's state notice it. */
function write(control: Control, wanted: readonly string[]): void {
  if (isBox(control)) {
    const isOn = wanted.includes(lines(control.value))
    if (control.checked !== isOn && (control.type === 'checkbox' || isOn)) control.click()
    return
  }
  const text = wanted[0] ?? ''
  if (lines(control.value) === text) return
  if (control.type === 'hidden') {
    control.dispatchEvent(new CustomEvent('restore', { detail: text }))
    return
  }
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set?.call(control, text)
  const type = control instanceof HTMLSelectElement ? 'change' : 'input'
  control.dispatchEvent(new Event(type, { bubbles: true }))
}

/**
 * Fills in the given fields and leaves the rest. Runs twice, because some controls appear only after another
 * one is set.
 */
export function writeFields(form: HTMLFormElement, fields: Fields): void {
  const fill = () => {
    for (const control of listControls(form))
      if (fields[control.name]) write(control, fields[control.name] ?? [])
  }
  fill()
  requestAnimationFrame(() => requestAnimationFrame(fill))
}

const own = (form: HTMLFormElement, name: string) => listControls(form).filter((one) => one.name === name)

/** The first words of a label or legend, without hints and marks. */
function nameIn(element: Element | null | undefined): string {
  if (!element) return ''
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent?.trim()
    if (text) return text
  }
  return ''
}

/** A field's display name: its legend if several boxes share its name, else its label. */
export function fieldLabel(form: HTMLFormElement, name: string): string {
  const [control, second] = own(form, name)
  const isGroup = control?.type === 'radio' || second !== undefined
  const shown = isGroup
    ? nameIn(control?.closest('fieldset')?.querySelector('legend'))
    : nameIn(control?.labels?.[0])
  return control?.dataset.label ?? (shown || name)
}

/** A field's value in the form's own words. */
export function displayValue(form: HTMLFormElement, name: string, texts: readonly string[]): string {
  const controls = own(form, name)
  const [control] = controls
  if (control instanceof HTMLSelectElement)
    return [...control.options].find(({ value }) => value === (texts[0] ?? ''))?.text ?? texts.join(', ')
  if (control && isBox(control)) {
    if (control.type === 'checkbox' && controls.length === 1) return texts.length > 0 ? 'On' : 'Off'
    return controls
      .filter(({ value }) => texts.includes(value))
      .map((box) => nameIn(box.labels?.[0]) || box.value)
      .join(', ')
  }
  return control?.type === 'hidden' ? spread(texts[0] ?? '') : (texts[0] ?? '')
}

/** Shows the JSON of a hidden control, one line per part. */
function spread(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return text
    return Object.entries(value)
      .map(([name, part]) => `${name}: ${typeof part === 'string' ? part : JSON.stringify(part)}`)
      .join('\n')
  } catch {
    return text
  }
}
