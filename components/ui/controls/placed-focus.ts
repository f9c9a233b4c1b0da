/**
 * Elements focused because a dialog opened with them, until they lose the focus: that is no sign that a link
 * will be followed. The event may reach React late, when that part of the page is hydrated.
 */
const placed = new WeakSet<Element>()

export function placeFocus(element: HTMLElement) {
  placed.add(element)
  element.addEventListener('blur', () => placed.delete(element), { once: true })
  element.focus()
}

export const isPlaced = (element: Element): boolean => placed.has(element)
