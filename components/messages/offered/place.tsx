/** A text field with suggestions: a plain control or the rich editor. */
export type Place = {
  /** The element that receives keys and announces the active suggestion. */
  field: HTMLElement
  /** The position in the frame of the last letters before the caret. */
  locate: (letters: number) => { left: number; top: number } | null
  /** Subscribes to text changes; returns the function to unsubscribe. */
  listen: (heard: () => void) => () => void
  /** The name of the merge field being typed; null if none is. */
  typedField: () => string | null
  /** Replaces what is typed of a field with the field. */
  putField: (name: string) => void
  /** The text before the caret in its line, as far as a template can be requested there. */
  before: () => string
  /**
   * Remembers where a template is being typed; the returned function inserts its text there, or returns why
   * it cannot.
   */
  hold: () => (body: string) => Promise<string | null>
}
