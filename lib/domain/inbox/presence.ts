/** What somebody does with a conversation that is open before them. */
export const PRESENCE_STATES = ['open', 'typing', 'left'] as const
export type PresenceState = (typeof PRESENCE_STATES)[number]

/** Whoever said nothing for as long is shown to nobody. */
export const PRESENT_MS = 60_000
/** What is said again within this is not written again, unless it is something else. */
export const SAID_MS = 20_000

type Present = { name: string; is_typing: boolean }

/** Who answers a conversation, or else who has it open, in words; null where nobody has. */
export function presenceText(people: readonly Present[]): string | null {
  const typing = people.filter(({ is_typing }) => is_typing)
  const shown = typing.length > 0 ? typing : people
  const [one, two, ...others] = shown.map(({ name }) => name)
  if (one === undefined) return null
  const verb = typing.length > 0 ? 'answering' : 'viewing this'
  if (two === undefined) return `${one} is ${verb}`
  if (others.length === 0) return `${one} and ${two} are ${verb}`
  return `${one}, ${two} and ${others.length} ${others.length === 1 ? 'other' : 'others'} are ${verb}`
}
