/**
 * What got the focus because a dialog opened with it, until it loses it again: nobody is about to follow a link for that. The
 * event may reach React late, when the part of the page around it is taken over.
 */
const placed = new WeakSet<Element>()

export function placeFocus(element: HTMLElement) {
  placed.add(element)
  element.addEventListener('blur', () => placed.delete(element), { once: true })
  element.focus()
}

export const isPlaced = (element: Element): boolean => placed.has(element)
