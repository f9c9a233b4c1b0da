/** The boxes of rows (`data-select`), whichever component drew them. */
export const boxesIn = (element: HTMLElement | null) => [
  ...(element?.querySelectorAll<HTMLInputElement>('input[data-select]') ?? []),
]

/** `x` ticks the row that has the focus. */
export function tickFocused(event: KeyboardEvent) {
  if (event.key !== 'x' || event.ctrlKey || event.metaKey || event.altKey) return
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || !focused.matches('[data-row-link]')) return
  focused.closest('tr')?.querySelector<HTMLInputElement>('input[data-select]')?.click()
}
